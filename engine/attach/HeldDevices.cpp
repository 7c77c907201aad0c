#include "engine/attach/HeldDevices.h"

#include "engine/machine/Nvml.h"

namespace ringmaster {

std::map<pid_t, std::vector<HeldDevice>> heldDevices()
{
    std::map<pid_t, std::vector<HeldDevice>> held;
    Nvml nvml;
    if (nvml.absence())
        return held;
    for (int index = 0; index < nvml.count(); ++index) {
        const std::vector<DeviceProcess> processes = nvml.processes(index);
        if (processes.empty())
            continue;
        const auto reading = nvml.read(index);
        for (const DeviceProcess& process : processes)
            held[process.pid].push_back(
                {.index = index,
                 .usedBytes = process.usedBytes,
                 .utilisation = reading ? reading->utilisation : std::nullopt});
    }
    return held;
}

} // namespace ringmaster
