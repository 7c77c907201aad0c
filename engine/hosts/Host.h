#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// How the program gets to a host: its folder is there already, or is copied before each launch.
enum class CodeSync { Shared, Rsync };

/// shared, rsync
constexpr std::string_view textOf(CodeSync sync)
{
    return sync == CodeSync::Rsync ? "rsync" : "shared";
}

constexpr std::optional<CodeSync> codeSyncOf(std::string_view text)
{
    for (const CodeSync sync : {CodeSync::Shared, CodeSync::Rsync})
        if (text == textOf(sync))
            return sync;
    return std::nullopt;
}

/// A machine that workers can run on, as the host book keeps it.
struct Host
{
    std::string name{};
    std::string destination{}; ///< What ssh is given; empty: the name.
    int slots = 0;             ///< Workers that it takes; 0: as many as the job says.
    std::vector<std::string> groups{};
    std::string interpreter{}; ///< Empty: the active one there.
    std::string code{};        ///< Folder with the program; empty: the same path as here.
    CodeSync sync = CodeSync::Shared;
    std::vector<std::string> exclude{}; ///< Not copied there: patterns of rsync's.
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
