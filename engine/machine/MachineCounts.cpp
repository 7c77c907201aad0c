#include "engine/machine/MachineCounts.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

int countEntries(const fs::path& folder)
{
    std::error_code error;
    const fs::directory_iterator entries(folder, error);
    return error ? 0 : static_cast<int>(std::distance(begin(entries), end(entries)));
}

} // namespace

MachineCounts countMachine(const EnvironmentMap& environment)
{
    return countMachine(environment, countEntries("/proc/driver/nvidia/gpus"));
}

MachineCounts countMachine(const EnvironmentMap& environment, int gpus)
{
    MachineCounts counts;
    counts.cpus = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
    const auto visible = environment.find("CUDA_VISIBLE_DEVICES");
    counts.gpus = visible == environment.end() ? gpus : visibleDeviceCount(visible->second, gpus);
    return counts;
}

int visibleDeviceCount(std::string_view cudaVisibleDevices, int present)
{
    int count = 0;
    for (const std::string& entry : split(cudaVisibleDevices, ',')) {
        const std::string_view device = stripped(entry);
        const auto index = pythonInt(device);
        const bool isUuid = device.starts_with("GPU-") || device.starts_with("MIG-");
        if (!isUuid && (!index || *index < 0 || *index >= present))
            break;
        ++count;
    }
    return count;
}

} // namespace ringmaster
