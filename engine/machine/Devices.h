#pragma once

#include "engine/base/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A process that holds memory of a GPU.
struct DeviceProcess
{
    pid_t pid = -1;
    std::int64_t usedBytes = -1; ///< -1: the driver doesn't say.

    bool operator==(const DeviceProcess&) const = default;
};

/// One GPU of this machine, as the driver numbers it (PCI order).
struct Device
{
    int index = 0;
    std::string name{};
    std::string uuid{};
    std::string pciAddress{}; ///< "0000:dc:00.0", as in /sys/bus/pci/devices
    std::int64_t totalBytes = 0;
    std::int64_t usedBytes = 0;
    std::vector<DeviceProcess> processes{};

    bool operator==(const Device&) const = default;
};

struct DeviceList
{
    std::vector<Device> devices{};
    std::optional<Message> absence{}; ///< Why there is none, or why the list isn't complete.
};

/// Asks NVML, which is loaded at run time and belongs to the driver. Takes milliseconds to a second
/// (the driver may have to wake up): not for a thread that must not wait.
DeviceList listDevices(const char* library = "libnvidia-ml.so.1");

} // namespace ringmaster
