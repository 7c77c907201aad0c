#include "engine/machine/MachineCounts.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <sched.h>
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

/// Those that this process may run on: what taskset, Slurm or a cpuset of cgroups left it.
int usableProcessors()
{
    for (size_t most = CPU_SETSIZE; most <= 64 * CPU_SETSIZE; most *= 2) {
        cpu_set_t* set = CPU_ALLOC(most);
        const size_t size = CPU_ALLOC_SIZE(most);
        const int count = ::sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

} // namespace

MachineCounts countMachine(const EnvironmentMap& environment)
{
    return countMachine(environment, countEntries("/proc/driver/nvidia/gpus"));
}

MachineCounts countMachine(const EnvironmentMap& environment, int gpus)
{
    MachineCounts counts;
    counts.cpus = usableProcessors();
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
