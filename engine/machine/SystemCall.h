#pragma once

#include "engine/machine/ProcessWait.h"

#include <sys/types.h>

namespace ringmaster {

/// What a thread is in, by /proc/PID/task/TID/syscall: what it waits for, by which descriptors.
struct SystemCall
{
    bool isKnown = false; ///< False: not allowed, or the thread is gone.
    /// A descriptor's own kind isn't looked at: File stands for all of them.
    ProcessWait::Kind kind = ProcessWait::Kind::Unknown;
    bool isWriting = false;
    std::string name{};
    std::vector<int> descriptors{}; ///< Any of which it waits for.
    pid_t child = 0;                ///< That it waits for; -1: any.
    /// When a sleep is over, by CLOCK_MONOTONIC; 0: unknown.
    std::int64_t sleepEndNs = 0;
};

SystemCall systemCallOf(pid_t pid, pid_t thread);

} // namespace ringmaster
