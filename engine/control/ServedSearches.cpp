#include "engine/control/ServedSearches.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

void ServedSearches::Served::take(LogSearchPage page)
{
    const auto known = std::min<std::uint64_t>(m_skip, page.places.size());
    m_skip -= known;
    const std::uint64_t told = m_told + m_waiting.size();
    const auto room = static_cast<std::ptrdiff_t>(MostPlaces - std::min(told, MostPlaces));
    const auto first = page.places.begin() + static_cast<std::ptrdiff_t>(known);
    m_waiting.insert(m_waiting.end(), first, first + std::min(room, page.places.end() - first));
    page.places.clear();
    std::ranges::move(m_last.problems, std::back_inserter(page.problems));
    m_last = std::move(page);
}

LogSearchPage ServedSearches::Served::next()
{
    LogSearchPage page = m_last;
    m_last.problems.clear();
    const auto end = m_waiting.begin() +
                     static_cast<std::ptrdiff_t>(std::min(m_waiting.size(), MostPlacesAtOnce));
    page.places.assign(m_waiting.begin(), end);
    m_waiting.erase(m_waiting.begin(), end);
    m_told += page.places.size();
    page.isAtEnd = page.isAtEnd && m_waiting.empty();
    return page;
}

std::shared_ptr<ServedSearches::Served>
ServedSearches::lend(const std::string& key, std::uint64_t told, const LogSearch::Query& query)
{
    const auto found = std::ranges::find_if(m_searches, [&](const auto& each) {
        return !each->m_isBusy && each->m_key == key && each->m_told == told;
    });
    if (found != m_searches.end())
        m_searches.splice(m_searches.begin(), m_searches, found);
    else
        m_searches.push_front(std::make_shared<Served>(key, told, query));
    if (m_searches.size() > MostSearches)
        m_searches.pop_back(); // who has it keeps it
    m_searches.front()->m_isBusy = true;
    return m_searches.front();
}

} // namespace ringmaster
