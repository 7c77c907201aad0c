#pragma once

#include "engine/event/Snapshot.h"
#include "engine/record/RunSummary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// Which hosts may still work for a run whose lead is gone, until when, and what can be done.
struct HostsAtWork
{
    std::string run{};
    std::vector<std::string> hosts{};
    std::int64_t untilNs = 0; ///< Wall clock.

    std::string takeover() const { return "ringmaster takeover " + run; }
    std::string line() const;
};

/// Nothing: none can any more, or the run isn't lost.
std::optional<HostsAtWork> hostsAtWork(const RunSnapshot& run);
std::optional<HostsAtWork> hostsAtWork(const RunSummary& run);

/// The same of all runs, a line each.
std::string hostsOfLostRuns(const std::vector<RunSummary>& runs);

/// Which hosts were left out of those that go on, and why: a line each.
std::string hostsLeftOut(const std::vector<RunSummary>& runs);

} // namespace ringmaster
