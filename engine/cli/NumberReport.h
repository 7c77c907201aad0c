#pragma once

#include "engine/cli/Json.h"
#include "engine/record/NumberSummary.h"
#include "engine/record/RunFileReader.h"

namespace ringmaster {

/// What a run's workers have printed last, for `ringmaster ps` and `show`.
class NumberReport
{
public:
    /// Of the end of its log. An end of the job is told only while it goes on.
    static Result<NumberReport> read(const RunFileReader& reader, bool isLive);

    bool isEmpty() const { return m_summary.latest.empty(); }
    /// "step 120/1000  loss 0.31  ETA 4 min 5 s": the lowest rank's; empty: nothing was printed.
    std::string line() const;
    Json json() const;

private:
    NumberSummary m_summary;
    std::int64_t m_nowNs = 0;
};

} // namespace ringmaster
