#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/machine/MachineCounts.h"

#include <string_view>

namespace ringmaster {

/// How many workers that is on this node, by torchrun's rules: auto is the accelerators, else the
/// CPUs.
Result<int> resolveWorkers(const WorkerCount& count, const MachineCounts& machine);

/// "4", "auto", "gpu", "cpu", "xpu": what --nproc-per-node and a job file have.
std::string workerCountText(const WorkerCount& count);
Result<WorkerCount> parseWorkerCount(std::string_view text);

} // namespace ringmaster
