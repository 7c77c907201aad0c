#pragma once

#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// A machine that workers can run on, as the host book keeps it.
struct Host
{
    std::string name{};
    std::string destination{}; ///< What ssh is given; empty: the name.
    int slots = 0;             ///< Workers that it takes; 0: as many as the job says.
    std::vector<std::string> groups{};
    std::string interpreter{}; ///< Empty: the active one there.
    std::string code{};        ///< Folder with the program; empty: the same path as here.
    std::string interface {
    };                     ///< For the job's own traffic; empty: the one that ssh comes in by.
    std::string address{}; ///< At which the other hosts reach it; empty: found out.
    std::map<std::string, std::string> environment{}; ///< For the workers there.

    /// This machine itself, without ssh.
    bool isHere() const { return sshDestination() == "localhost"; }
    const std::string& sshDestination() const { return destination.empty() ? name : destination; }
    bool operator==(const Host&) const = default;
};

} // namespace ringmaster
