#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace ringmaster {

/// What --numa-binding asks of the machine.
struct NumaFacts
{
    std::vector<std::string> gpuAddresses{}; ///< PCI addresses of the GPUs that the job sees, in
                                             ///< order: "0000:dc:00.0".
    std::set<int> allowedCpus{};             ///< sched_getaffinity() of the agent.
    std::filesystem::path sysfs = "/sys";
};

/// The CPUs of one worker, "0-7,16-23", for numactl's --physcpubind, by torch's rules (its
/// numa/binding.py): `mode` is node, socket, exclusive or core-complex, and local rank n belongs to
/// GPU n. Fails where there is no such GPU or no CPU is left; torchrun doesn't launch then either.
Result<std::string> numaCpus(const std::string& mode, int localRank, const NumaFacts& facts);

/// CPUs that this process may run on.
std::set<int> allowedCpus();

} // namespace ringmaster
