#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"

#include <chrono>
#include <string>
#include <vector>

namespace ringmaster {

/// Runs a command that only tells something and returns its standard output. Killed with its whole
/// session when it takes longer than `patience` or says more than `limit` bytes. Blocks, for two
/// seconds more at most where it waits in the kernel.
Result<std::string> runBounded(const std::vector<std::string>& command,
                               const EnvironmentMap& environment,
                               std::chrono::milliseconds patience, size_t limit = 64U << 10U,
                               const std::string& workingFolder = {});

} // namespace ringmaster
