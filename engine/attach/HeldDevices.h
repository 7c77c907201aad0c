#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A GPU that a process holds memory of.
struct HeldDevice
{
    int index = 0;                       ///< As the driver counts.
    std::int64_t usedBytes = -1;         ///< By this process; -1: the driver doesn't say.
    std::optional<double> utilisation{}; ///< Of the whole GPU: the share in which a kernel ran.
    bool operator==(const HeldDevice&) const = default;
};

/// By process, all that hold a GPU's memory, by the driver (NVML). Empty where there is no GPU.
/// Takes milliseconds, and up to a second where the driver sleeps.
std::map<pid_t, std::vector<HeldDevice>> heldDevices();

} // namespace ringmaster
