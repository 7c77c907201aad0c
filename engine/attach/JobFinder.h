#pragma once

#include "engine/attach/ForeignJob.h"

#include <vector>

namespace ringmaster {

/// The jobs among these processes, by what launchers leave in the environment of their ranks, and
/// where they leave nothing (torch.multiprocessing.spawn, Ray), by the store to which all ranks of
/// a job are connected. What belongs to a run of Ringmaster's is none. Pure; the latest first.
std::vector<ForeignJob> findJobs(const std::vector<ForeignProcess>& processes);

} // namespace ringmaster
