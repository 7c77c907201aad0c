#pragma once

#include "engine/base/FileDescriptor.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A program to start apart from this process: in a session of its own, with every signal's default
/// disposition and none blocked, and with no descriptor but those that are named.
struct SpawnRequest
{
    std::vector<std::string> command{};                    ///< The first is the program's path.
    std::optional<std::vector<std::string>> environment{}; ///< NAME=value; nothing: this process's.
    std::string workingFolder{};                           ///< Empty: this process's.
    std::vector<int> descriptors{}; ///< What the child has as 0, 1, 2 …; -1: /dev/null.
};

/// Called with the child as soon as there is one, before anybody waits for it.
using ChildBorn = std::function<void(pid_t)>;

/// The child is the caller's to wait for. One whose program or folder isn't there within a second
/// (a file server doesn't answer) counts as started; if it can't be in the end, it ends with exit
/// code 127.
Result<pid_t> spawn(const SpawnRequest& request, const ChildBorn& born = {});

struct WatchedChild
{
    pid_t pid = 0;
    FileDescriptor pidfd{};
};

/// The same, for whoever watches it. A child that can't be watched, because descriptors are used
/// up, is ended.
Result<WatchedChild> spawnWatched(const SpawnRequest& request, const ChildBorn& born = {});

} // namespace ringmaster
