#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"

#include <string>
#include <vector>

namespace ringmaster {

/// The CPUs of each worker by local rank, as --numa-binding wants them on this machine: those near
/// the GPU that the worker has. Asks the GPU driver, which may take a moment.
Result<std::vector<std::string>> workerCpus(const std::string& mode, int workers,
                                            const EnvironmentMap& environment);

/// Addresses of the GPUs that CUDA_VISIBLE_DEVICES lets through, in its order; unset: all. CUDA
/// stops at the first entry that isn't a device.
std::vector<std::string> visibleAddresses(const std::vector<std::string>& all,
                                          const EnvironmentMap& environment);

} // namespace ringmaster
