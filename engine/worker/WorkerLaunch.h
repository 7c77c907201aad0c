#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

#include <string>
#include <vector>

namespace ringmaster {

/// What one worker is started with. It inherits nothing else but the resource limits and the
/// umask: every other descriptor is closed, the signal mask is empty, dispositions are the default.
struct WorkerLaunch
{
    int localRank = 0;
    std::vector<std::string> arguments{};   ///< The first is the program: a path, or a name that is
                                            ///< looked up in the worker's own PATH.
    std::vector<std::string> environment{}; ///< NAME=value, exactly these.
    std::string workingFolder{};            ///< Empty: the agent's.
    int standardInput = 0; ///< Borrowed until start() returns; -1: /dev/null. 0 is torchrun's way.
    FileDescriptor standardOutput{}; ///< Not open: /dev/null.
    FileDescriptor standardError{};  ///< Not open: /dev/null.
    bool ignoreHangup = false;       ///< The agent was started by nohup: see isHangupIgnored().
};

/// Its standard input, output and error, as the keeper is sent them: moved out of it, or copied.
Result<std::vector<FileDescriptor>> takeStreams(WorkerLaunch& worker);

/// True if SIGHUP is ignored now: ask before anything watches signals.
bool isHangupIgnored();

} // namespace ringmaster
