#pragma once

#include "engine/base/Error.h"

#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// Why a run's processes are still there though they were killed: all descendants of `root` that
/// are no zombies, but those in `spared` and theirs; keepers and guards only where none else is.
std::vector<Message> describeSurvivors(pid_t root, const std::vector<pid_t>& spared = {});

} // namespace ringmaster
