#pragma once

#include <string>

#include <sys/types.h>

namespace ringmaster {

/// By the text of /proc/locks, the process that has the lock which `pid` waits for; 0: unknown, as
/// where that is outside this PID namespace.
int lockHolderIn(const std::string& locks, pid_t pid);

} // namespace ringmaster
