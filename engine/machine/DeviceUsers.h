#pragma once

#include "engine/machine/Devices.h"

namespace ringmaster {

/// Who holds memory of a GPU: a process, as /proc tells of it. What another user's doesn't tell is
/// empty.
struct DeviceUser
{
    int device = 0;
    pid_t pid = -1;
    std::int64_t usedBytes = -1; ///< -1: the driver doesn't say.
    std::string user{};
    std::string command{};
    std::int64_t startedNs = 0; ///< Wall clock; 0: not known.
    std::string run{};          ///< Of a worker of ours, or what descends from it.
    int rank = -1;
    bool operator==(const DeviceUser&) const = default;
};

/// By GPU, then by memory, the largest first. Reads /proc: milliseconds a process.
std::vector<DeviceUser> deviceUsers(const std::vector<Device>& devices);

/// Ranks of a run that hold memory of a GPU on which another rank works, beside the one on which
/// they work themselves. Mostly their program has not called torch.cuda.set_device().
struct StrayRanks
{
    std::string run{};
    int device = 0;
    std::vector<int> ranks{};
    bool operator==(const StrayRanks&) const = default;
};

/// A rank works on the GPU of which it holds the most.
std::vector<StrayRanks> strayRanks(const std::vector<DeviceUser>& users);

} // namespace ringmaster
