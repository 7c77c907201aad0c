#pragma once

#include "engine/base/Result.h"
#include "engine/job/ArgumentParser.h"

#include <string>
#include <vector>

namespace ringmaster {

/// The CPUs of each worker of this node for --numa-binding, by local rank, as `numactl
/// --physcpubind` takes them; empty for an empty `binding`. torchrun's rules: the CPUs near the
/// worker's GPU (its NUMA node, its socket, a share of its own of the node's cores, or the cores
/// that share a cache), less those that this process may not use.
Result<std::vector<std::string>> numaBinding(const std::string& binding, int workers,
                                             const EnvironmentMap& environment);

} // namespace ringmaster
