#pragma once

#include "engine/event/Snapshot.h"

#include <cstdint>
#include <map>

namespace ringmaster {

/// What each worker that runs on this machine has of the memory (PSS): pages that it shares, as
/// workers do that were forked from one process, are divided among those that share them. By global
/// rank; measured now, which costs milliseconds a worker. A plain run's workers can't be told from
/// other processes with their numbers, and aren't measured.
std::map<int, std::int64_t> workerMemory(const RunSnapshot& run);

} // namespace ringmaster
