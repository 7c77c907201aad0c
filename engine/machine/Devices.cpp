#include "engine/machine/Devices.h"

#include "engine/machine/Nvml.h"

namespace ringmaster {

DeviceList listDevices(const char* library)
{
    DeviceList list;
    const Nvml nvml(library);
    list.absence = nvml.absence();
    for (int index = 0; !nvml.absence() && index < nvml.count(); ++index) {
        if (auto device = nvml.device(index))
            list.devices.push_back(*std::move(device));
        else
            list.absence = device.error();
    }
    return list;
}

} // namespace ringmaster
