#pragma once

#include "engine/base/Error.h"

#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// Why a process is still there though it was killed, as /proc says: it waits in the kernel, is
/// frozen, or is another user's.
Message describeSurvivor(pid_t pid);

/// The same of all descendants of `root` that are no zombies and no keepers, but those in `spared`
/// and theirs.
std::vector<Message> describeSurvivors(pid_t root, const std::vector<pid_t>& spared = {});

} // namespace ringmaster
