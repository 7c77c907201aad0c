#pragma once

#include "engine/base/Result.h"
#include "engine/hosts/Codes.h"
#include "engine/hosts/Host.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// How the user's own ssh is called: with the user's settings, and never so that it could wait for
/// a person.
struct SshSettings
{
    std::string config{};                  ///< For -F; empty: the user's own.
    std::filesystem::path controlFolder{}; ///< Of shared connections, private; empty: none.
    int connectSeconds = 5;                ///< Until the other end's sshd has greeted.
    /// Between two questions whether the other end is there; as many vain ones as AliveQuestions
    /// end the connection.
    int aliveSeconds = 1;
    static constexpr int AliveQuestions = 3;
};

/// The same over a connection of its own: the one that others share could be broken.
SshSettings unshared(SshSettings settings);

/// The words of an ssh call before its destination.
std::vector<std::string> sshWords(const SshSettings& settings, const Host& host);

/// The words of one ssh call that runs `remoteCommand` in the host's login shell.
std::vector<std::string> sshCommand(const SshSettings& settings, const Host& host,
                                    const std::string& remoteCommand);

/// The settings of this user: the shared connection in the runtime folder.
Result<SshSettings> usualSshSettings(const std::string& config = {});

/// A script for /bin/sh, as one command that any login shell (csh, fish …) hands on unchanged. It
/// must not contain a single quote.
std::string shellCommand(std::string_view script);

/// Why ssh, or what it ran, ended so: from its exit code and what it printed on standard error.
Error sshFailure(const Host& host, int exitCode, const std::string& standardError);

/// What ssh makes of a name, by `ssh -G`. Blocks for milliseconds; nothing is connected.
struct SshResolved
{
    std::string hostName{};
    std::string user{};
    int port = 22;
    std::string jump{}; ///< ProxyJump
};
Result<SshResolved> resolveSsh(const SshSettings& settings, const Host& host);

/// The names in ~/.ssh/config (or `config`) that stand for one host: without patterns. Follows
/// Include.
std::vector<std::string> sshConfigNames(const std::filesystem::path& config = {});

} // namespace ringmaster
