#pragma once

#include "engine/hosts/Ssh.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

// How the program's folder gets to a host that doesn't share it: rsync, over the user's own ssh.
// Pure: somebody else runs it.

struct CodeCopy
{
    Host host{};
    std::string folder{}; ///< Here.
    std::string target{}; ///< There.

    /// Where the host keeps it: its own folder, else the same path.
    static CodeCopy of(const Host& host, const std::string& folder);
};

/// code::CopyTooMuch: all that the user has would go there, and nothing is left out.
Result<void> checkCopy(const CodeCopy& copy, const std::filesystem::path& home);

/// What is there and not here stays there.
std::vector<std::string> rsyncCommand(const SshSettings& ssh, const CodeCopy& copy);

/// How far it is, from some of what rsync prints.
std::optional<int> copiedPercent(std::string_view output);
Message codeIsComing(const CodeCopy& copy, int percent);
/// What has been done, from what rsync printed.
Message codeCopied(const CodeCopy& copy, const std::string& output);
/// Some files went away while they were copied: so be it.
bool isCopied(int exitCode);
/// Why it failed: the host, the cause, the remedy.
Error copyFailure(const CodeCopy& copy, int exitCode, const std::string& standardError);

} // namespace ringmaster
