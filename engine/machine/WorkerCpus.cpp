#include "engine/machine/WorkerCpus.h"

#include "engine/machine/Devices.h"
#include "engine/machine/NumaBinding.h"

#include <charconv>
#include <sstream>

namespace ringmaster {

std::vector<std::string> visibleAddresses(const std::vector<std::string>& all,
                                          const EnvironmentMap& environment)
{
    const auto variable = environment.find("CUDA_VISIBLE_DEVICES");
    if (variable == environment.end())
        return all;
    std::vector<std::string> visible;
    std::istringstream entries(variable->second);
    for (std::string entry; std::getline(entries, entry, ',');) {
        size_t index = 0;
        const auto parsed = std::from_chars(entry.data(), entry.data() + entry.size(), index);
        if (parsed.ec != std::errc() || parsed.ptr != entry.data() + entry.size() ||
            index >= all.size())
            break;
        visible.push_back(all[index]);
    }
    return visible;
}

Result<std::vector<std::string>> workerCpus(const std::string& mode, int workers,
                                            const EnvironmentMap& environment)
{
    std::vector<std::string> addresses;
    for (const Device& device : listDevices().devices)
        addresses.push_back(device.pciAddress);
    const NumaFacts facts{.gpuAddresses = visibleAddresses(addresses, environment),
                          .allowedCpus = allowedCpus()};
    std::vector<std::string> cpus;
    for (int localRank = 0; localRank < workers; ++localRank)
        cpus.push_back(RM_TRY(numaCpus(mode, localRank, facts)));
    return cpus;
}

} // namespace ringmaster
