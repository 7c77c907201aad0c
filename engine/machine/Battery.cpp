#include "engine/machine/Battery.h"

#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

bool hasBattery(const SystemInfo& machine)
{
    // Documentation/ABI/testing/sysfs-class-power in the kernel.
    constexpr size_t LongestWord = 64;
    const auto word = [&](const std::string& supply, const char* name) {
        return std::string(stripped(machine.fileStart(supply + "/" + name, LongestWord)));
    };
    return std::ranges::any_of(
        machine.subfolders("/sys/class/power_supply"), [&](const std::string& supply) {
            return word(supply, "type") == "Battery" && word(supply, "scope") != "Device";
        });
}

} // namespace ringmaster
