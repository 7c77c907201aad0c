#include "engine/control/RunNumbers.h"

#include "engine/job/JobFile.h"

#include <utility>

namespace ringmaster {

RunNumbers::RunNumbers(NumberRules rules, std::optional<std::int64_t> wallAheadNs)
    : m_tally(std::move(rules)), m_wallAheadNs(wallAheadNs)
{
}

Result<RunNumbers> RunNumbers::open(const RunFileReader& reader)
{
    const auto events = RM_TRY(reader.events(0, {.events = 1}));
    const auto* started = events.empty() ? nullptr : std::get_if<RunStarted>(&events.front().body);
    const auto job =
        started == nullptr ? std::nullopt : std::optional(parseJobFile(started->jobFile));
    if (!job || !*job)
        return RunNumbers({}, std::nullopt);
    // Rules of another version that this one can't use find nothing.
    auto rules = NumberRules::parse((*job)->spec.numbers).value_or(NumberRules());
    // A host's lines have the times of its own monotonic clock: only the walls' clocks agree.
    const Moment& at = events.front().at;
    return RunNumbers(std::move(rules), (*job)->spec.isLed()
                                            ? std::optional(at.wallNs - at.monotonicNs)
                                            : std::nullopt);
}

Result<RunNumbers> RunNumbers::ofEnd(const RunFileReader& reader, size_t bytes)
{
    RunNumbers numbers = RM_TRY(open(reader));
    numbers.add(
        RM_TRY(reader.readLog({.direction = LogQuery::Direction::Backward, .maxBytes = bytes})));
    numbers.m_tally.readAll();
    return numbers;
}

Result<bool> RunNumbers::readOn(const RunFileReader& reader, size_t bytes)
{
    constexpr size_t PageBytes = 1U << 20U;
    for (size_t read = 0;;) {
        LogPage page = RM_TRY(reader.readLog({.cursor = m_cursor, .maxBytes = PageBytes}));
        const bool isMore = !page.chunks.empty() && page.chunks.back().cursor < page.lastCursor;
        for (const LogChunk& chunk : page.chunks)
            read += chunk.bytes.size();
        add(std::move(page));
        if (!isMore)
            m_tally.readAll();
        if (!isMore || read >= bytes)
            return isMore;
    }
}

void RunNumbers::add(LogPage page)
{
    for (LogChunk& chunk : page.chunks) {
        if (m_wallAheadNs)
            chunk.at.monotonicNs = chunk.at.wallNs - *m_wallAheadNs;
        m_tally.add(chunk);
        m_cursor = chunk.cursor;
    }
}

} // namespace ringmaster
