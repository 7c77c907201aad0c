#pragma once

#include "engine/base/Error.h"
#include "engine/record/RunCatalog.h"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace ringmaster {

/// What a sweep found: how many processes have really ended, and what has not.
struct OrphanSweep
{
    int ended = 0;
    std::vector<Message> left{}; ///< Why each that was killed is still there.
};

constexpr std::chrono::milliseconds OrphanPatience{2000};

/// Kills what lost runs have left behind whose agent and keeper were both killed: the processes
/// that carry a run's token (RINGMASTER_RUN, which is its id) in their environment, what descends
/// from these, and who shares a worker's session with one of them. Of `runs` only
/// those are looked at whose agent ran on this machine and is gone: never a copy of a run that came
/// from elsewhere, which may live. Waits up to `patience` for them to end; where that isn't 0, then
/// also for podman to remove the containers of such runs, once a run. Once none is found of a run
/// that has been lost for a while, its folder says so, and none is looked for again.
OrphanSweep sweepOrphans(const RunCatalog& catalog, const std::vector<RunSummary>& runs,
                         std::chrono::milliseconds patience = OrphanPatience);

/// RunCatalog's hide(), remove() and prune(), with a sweep of each run that goes: without its
/// folder nobody finds what it has left.
Result<std::filesystem::path> hideRun(const RunCatalog& catalog, const std::string& run,
                                      std::chrono::milliseconds patience = OrphanPatience,
                                      const std::stop_token& stop = {});
Result<void> removeRun(const RunCatalog& catalog, const std::string& run);
std::vector<std::string> pruneRuns(const RunCatalog& catalog,
                                   const RunCatalog::Retention& retention,
                                   const std::stop_token& stop = {});

} // namespace ringmaster
