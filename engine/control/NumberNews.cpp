#include "engine/control/NumberNews.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ringmaster {

namespace {

auto keyOf(const NumberSummary::Line& line)
{
    return std::tie(line.name, line.attempt, line.rank);
}

auto keyOf(const NumberSummary::Latest& latest)
{
    return std::tie(latest.name, latest.rank);
}

/// By key, as long as `all` stays as it is.
template <class One>
auto placesIn(const std::vector<One>& all)
{
    std::map<decltype(keyOf(all.front())), size_t> places;
    for (size_t i = 0; i < all.size(); ++i)
        places.emplace(keyOf(all[i]), i);
    return places;
}

} // namespace

NumberNews ToldNumbers::tell(const std::string& run, const std::vector<std::string>& names,
                             std::uint64_t known, NumberSummary whole)
{
    NumberNews news{.numbers = whole,
                    .isDelta = known == m_serial && run == m_run && names == m_names &&
                               whole.attempt == m_told.attempt};
    if (news.isDelta) {
        const auto latest = placesIn(m_told.latest);
        std::erase_if(news.numbers.latest, [&](const NumberSummary::Latest& each) {
            const auto told = latest.find(keyOf(each));
            return told != latest.end() && m_told.latest[told->second] == each;
        });
        const auto lines = placesIn(m_told.lines);
        for (NumberSummary::Line& line : news.numbers.lines) {
            const auto told = lines.find(keyOf(line));
            if (told == lines.end() || m_told.lines[told->second].points.empty())
                continue;
            const std::int64_t from = m_told.lines[told->second].points.back().ns;
            std::erase_if(line.points,
                          [from](const NumberSeries::Point& point) { return point.ns <= from; });
        }
        std::erase_if(news.numbers.lines, [](const auto& line) { return line.points.empty(); });
    }
    news.serial = ++m_serial;
    m_run = run;
    m_names = names;
    m_told = std::move(whole);
    return news;
}

void HeldNumbers::take(NumberNews news)
{
    const NumberSummary before = std::exchange(m_summary, std::move(news.numbers));
    m_known = news.serial;
    if (!news.isDelta)
        return;
    const NumberSummary fresh = m_summary;
    m_summary.latest = before.latest;
    m_summary.lines = before.lines;
    append(fresh.lines);
    const auto held = placesIn(before.latest);
    for (const NumberSummary::Latest& each : fresh.latest) {
        if (const auto place = held.find(keyOf(each)); place != held.end())
            m_summary.latest[place->second] = each;
        else
            m_summary.latest.push_back(each);
    }
    std::map<std::string, size_t> order;
    for (const std::string& name : m_summary.names)
        order.emplace(name, order.size());
    std::ranges::sort(m_summary.latest, {}, [&order](const NumberSummary::Latest& each) {
        return std::pair(order[each.name], each.rank);
    });
}

/// Points that the other side has put together since stay: they were printed, too. With very many
/// all is asked for anew.
void HeldNumbers::append(const std::vector<NumberSummary::Line>& lines)
{
    for (const NumberSummary::Line& line : lines) {
        const auto held = std::ranges::find_if(
            m_summary.lines, [&](const auto& each) { return keyOf(each) == keyOf(line); });
        if (held == m_summary.lines.end()) {
            m_summary.lines.push_back(line);
            continue;
        }
        held->points.insert(held->points.end(), line.points.begin(), line.points.end());
        if (held->points.size() > 4 * NumberSeries::MostPoints)
            m_known = 0;
    }
    std::ranges::sort(m_summary.lines, {}, [](const NumberSummary::Line& line) {
        return std::tuple(line.attempt, line.rank, line.name);
    });
}

} // namespace ringmaster
