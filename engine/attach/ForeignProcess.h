#pragma once

#include "engine/base/ProcessInfo.h"
#include "engine/machine/ProcessAbout.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// A process that may be a rank of a job that somebody else started, or its launcher; as /proc
/// tells of it.
struct ForeignProcess
{
    /// An established TCP connection, by the socket that the process holds.
    struct Connection
    {
        std::uint64_t socket = 0; ///< Its inode: a forked child holds its parent's.
        std::string peer{};       ///< "10.0.0.1:29500"
    };

    ProcessIdentity identity{};
    pid_t parent = 0;
    ProcessAbout about{};
    bool hasTorch = false; ///< libtorch_cpu.so is mapped into it.
    /// Of its environment those that launchers set; of what another user's process has, none.
    std::map<std::string, std::string, std::less<>> variables{};
    std::vector<Connection> connections{};
    std::vector<std::string> listensAt{}; ///< "0.0.0.0:29500"
    std::string output{};                 ///< The file that its standard output goes to, if any.
};

} // namespace ringmaster
