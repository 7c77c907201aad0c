#pragma once

#include "engine/record/NumberTally.h"
#include "engine/record/RunFileReader.h"

namespace ringmaster {

/// The numbers that the workers of a run have printed, read on in its log from where the last call
/// stopped, with the rules of its job. One thread at a time.
class RunNumbers
{
public:
    /// Of the whole log, a part after the other; or only of its end, where somebody wants to know
    /// the last numbers soon.
    static Result<RunNumbers> open(const RunFileReader& reader);
    static Result<RunNumbers> ofEnd(const RunFileReader& reader, size_t bytes);

    /// At least so many bytes more, where there are so many. True: there is more.
    Result<bool> readOn(const RunFileReader& reader, size_t bytes);

    /// Without a time: the run is over.
    NumberSummary summary(const std::vector<std::string>& names,
                          std::optional<std::int64_t> nowWallNs) const
    {
        return m_tally.summary(names, nowWallNs);
    }

private:
    RunNumbers(NumberRules rules, std::optional<std::int64_t> wallAheadNs);

    void add(LogPage page);

    NumberTally m_tally;
    std::uint64_t m_cursor = 0;
    /// Of the lead's monotonic clock; nothing: the log's times are of that clock already.
    std::optional<std::int64_t> m_wallAheadNs;
};

} // namespace ringmaster
