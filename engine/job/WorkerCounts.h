#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <string_view>

namespace ringmaster {

/// What a node can count: os.cpu_count(), and the devices that torch would see there.
struct MachineCounts
{
    int cpus = 1;
    int gpus = 0;
    int xpus = 0;
};

/// How many workers that is on this node, by torchrun's rules: auto is the accelerators, else the
/// CPUs.
Result<int> resolveWorkers(const WorkerCount& count, const MachineCounts& machine);

/// "4", "auto", "gpu", "cpu", "xpu": what --nproc-per-node and a job file have.
std::string workerCountText(const WorkerCount& count);
Result<WorkerCount> parseWorkerCount(std::string_view text);

/// How many of `present` GPUs a process sees: CUDA stops at the first entry that isn't a device.
int visibleDeviceCount(std::string_view cudaVisibleDevices, int present);

} // namespace ringmaster
