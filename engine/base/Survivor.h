#pragma once

#include "engine/base/Error.h"

#include <sys/types.h>

namespace ringmaster {

/// Why a process is still there though it was killed, as /proc says: one of its threads waits in
/// the kernel, it is frozen, or it is another user's.
Message describeSurvivor(pid_t pid);

} // namespace ringmaster
