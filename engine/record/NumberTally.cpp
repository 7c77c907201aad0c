#include "engine/record/NumberTally.h"

#include "engine/record/ProgressChoice.h"
#include "engine/text/NumberNames.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// What is looked at first comes first.
int orderOf(const std::string& name)
{
    if (isCounterName(name))
        return 3;
    if (name.find("loss") != std::string::npos)
        return 0;
    return name.find('/') != std::string::npos && name.ends_with("/s") ? 2 : 1;
}

} // namespace

void NumberTally::add(const LogChunk& chunk)
{
    m_wallAheadNs = chunk.at.wallNs - chunk.at.monotonicNs;
    m_scanner.scan(chunk, sink());
}

void NumberTally::readAll()
{
    m_scanner.scanOpenBars(sink());
}

NumberScanner::Sink NumberTally::sink()
{
    return [this](const NumberScanner::Found& found) { add(found); };
}

void NumberTally::add(const NumberScanner::Found& found)
{
    for (const NamedNumber& number : found.numbers) {
        Key key{found.attempt, found.globalRank, number.name};
        auto at = m_numbers.find(key);
        if (at == m_numbers.end()) {
            const bool isNew = !m_names.contains(number.name);
            if (m_numbers.size() >= MostSeries || (isNew && m_names.size() >= MostNames)) {
                m_isCut = true;
                continue;
            }
            m_names.try_emplace(number.name, m_names.size());
            at = m_numbers.emplace(std::move(key), Number{}).first;
        }
        m_attempt = std::max(m_attempt, found.attempt);
        Number& kept = at->second;
        const std::int64_t ns = found.at.monotonicNs;
        kept.series.add({ns, number.value});
        kept.last = number;
        kept.atNs = ns;
        if (number.total || kept.progress || isCounterName(number.name)) {
            if (!kept.progress)
                kept.progress.emplace();
            kept.progress->add(ns, number.value, number.total);
        }
    }
}

NumberSummary NumberTally::summary(const std::vector<std::string>& names,
                                   std::optional<std::int64_t> nowWallNs) const
{
    NumberSummary summary{.attempt = m_attempt, .isCut = m_isCut};
    for (const auto& [name, order] : m_names)
        summary.names.push_back(name);
    std::ranges::sort(summary.names, {}, [this](const std::string& name) {
        return std::pair(orderOf(name), m_names.at(name));
    });
    for (const auto& [key, number] : m_numbers) {
        const auto& [attempt, rank, name] = key;
        if (attempt == m_attempt)
            summary.latest.push_back({name, rank, number.last.value, number.last.total, number.atNs,
                                      number.progress.has_value()});
        if (std::ranges::find(names, name) != names.end())
            summary.lines.push_back({name, attempt, rank, number.series.points()});
    }
    std::ranges::stable_sort(summary.latest, {}, [this](const NumberSummary::Latest& latest) {
        return std::pair(orderOf(latest.name), m_names.at(latest.name));
    });
    summary.progress = progress(nowWallNs);
    return summary;
}

std::optional<NumberSummary::Progress>
NumberTally::progress(std::optional<std::int64_t> nowWallNs) const
{
    ProgressChoice choice;
    std::optional<int> chosen;
    for (const auto& [key, number] : m_numbers) {
        const auto& [attempt, rank, name] = key;
        if (attempt != m_attempt || !number.progress || (chosen && *chosen != rank))
            continue;
        choice.add(name, *number.progress);
        // The lowest rank that knows how much there is to do speaks for all.
        if (choice.hasTotal())
            chosen = rank;
    }
    const auto nowNs = nowWallNs ? std::optional(*nowWallNs - m_wallAheadNs) : std::nullopt;
    auto progress = choice.progress(nowNs);
    if (progress && progress->endWallNs)
        *progress->endWallNs += m_wallAheadNs;
    return progress;
}

} // namespace ringmaster
