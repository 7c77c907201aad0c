#pragma once

#include "engine/base/Environment.h"

#include <string_view>

namespace ringmaster {

/// What a node can count: os.cpu_count(), and the devices that torch would see there.
struct MachineCounts
{
    int cpus = 1;
    int gpus = 0;
    int xpus = 0;
};

/// What a node can count, without NVML's details: cheap enough for every start of an agent. GPUs
/// are counted as torch does, CUDA_VISIBLE_DEVICES included.
MachineCounts countMachine(const EnvironmentMap& environment);
/// The same of a machine whose GPUs have been listed.
MachineCounts countMachine(const EnvironmentMap& environment, int gpus);

/// How many of `present` GPUs a process sees: CUDA stops at the first entry that isn't a device.
int visibleDeviceCount(std::string_view cudaVisibleDevices, int present);

} // namespace ringmaster
