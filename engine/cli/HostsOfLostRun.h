#pragma once

#include "engine/event/Snapshot.h"
#include "engine/record/RunSummary.h"

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// Which hosts may still work for a run whose lead is gone, until when, and what can be done: a
/// line. Nothing: none can any more.
std::optional<std::string> hostsAtWork(const RunSnapshot& run);

/// The same of all runs, a line each.
std::string hostsOfLostRuns(const std::vector<RunSummary>& runs);

/// Which hosts were left out of those that go on, and why: a line each.
std::string hostsLeftOut(const std::vector<RunSummary>& runs);

} // namespace ringmaster
