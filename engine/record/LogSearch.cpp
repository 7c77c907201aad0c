#include "engine/record/LogSearch.h"

#include "engine/record/LogAssembler.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t PageBytes = 1U << 20U;

/// The ranks that both name; nothing where one names none.
std::vector<int> common(const std::vector<int>& ranks, const std::set<int>& others)
{
    if (ranks.empty())
        return {others.begin(), others.end()};
    std::vector<int> both = ranks;
    if (!others.empty())
        std::erase_if(both, [&](int rank) { return !others.contains(rank); });
    return both;
}

} // namespace

LogSearch::LogSearch(Query query)
    : m_query(query), m_scanner({query.filter, query.stream, query.linesAround, query.wantsTexts})
{
    m_next.ranks = common(query.ranks, query.filter.ranks());
    if (m_next.ranks.empty() && !query.ranks.empty())
        m_isCancelled = true; // none is in both
    m_next.attempt = query.attempt >= 0 ? query.attempt : query.filter.attempt().value_or(-1);
    m_next.maxBytes = PageBytes;
}

Result<LogSearchPage> LogSearch::advance(const Read& read, size_t bytes, bool isOver)
{
    LogSearchPage page{.part = 1, .isAtEnd = true};
    for (size_t searched = 0; !m_isCancelled;) {
        const LogPage log = RM_TRY(read(m_next));
        add(m_scanner.scan(log.chunks), page);
        for (const Message& problem : log.problems) {
            if (std::ranges::find(m_problems, problem) == m_problems.end())
                page.problems.push_back(m_problems.emplace_back(problem));
        }
        if (!log.chunks.empty())
            m_next.cursor = log.chunks.back().cursor;
        page.isAtEnd = log.chunks.empty() || m_next.cursor >= log.lastCursor;
        if (log.lastCursor > 0)
            page.part = static_cast<double>(std::min(m_next.cursor, log.lastCursor)) /
                        static_cast<double>(log.lastCursor);
        for (const LogChunk& chunk : log.chunks)
            searched += chunk.bytes.size();
        if (page.isAtEnd || searched >= bytes)
            break;
    }
    if (page.isAtEnd)
        add(isOver ? m_scanner.finish() : m_scanner.scanOpenLines(), page);
    page.matches = m_scanner.matches();
    return page;
}

void LogSearch::take(LogSearchPage& page)
{
    m_told += page.places.size();
    m_toldMatches = std::max(m_toldMatches, page.matches);
    page.matches = m_toldMatches;
}

void LogSearch::add(std::vector<LogScanner::Found> found, LogSearchPage& page)
{
    for (const LogScanner::Found& one : found) {
        page.places.push_back(one.place);
        if (m_query.wantsTexts)
            page.texts.push_back(shownText(one.bytes, LogAssembler::LongestLine));
    }
}

} // namespace ringmaster
