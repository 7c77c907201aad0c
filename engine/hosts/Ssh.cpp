#include "engine/hosts/Ssh.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/Environment.h"
#include "engine/base/Paths.h"

#include <charconv>
#include <sstream>

namespace ringmaster {

namespace {

/// ssh's own %C would be too long below a temporary folder. Empty: there is no room for a socket.
std::string controlPath(const SshSettings& settings, const Host& host)
{
    constexpr size_t LongestName = 107;
    constexpr size_t SshsSuffix = 17; ///< Of the name that it has while it is made.
    if (settings.controlFolder.empty())
        return {};
    // Whoever opens it decides for all that share it how soon a silent host ends it.
    const Code hash = codeOf(settings.config + "\n" + host.sshDestination() + "\n" +
                             std::to_string(settings.aliveSeconds));
    const std::string path =
        (settings.controlFolder / ("ssh-" + std::to_string(static_cast<std::uint32_t>(hash))))
            .string();
    return path.size() + SshsSuffix <= LongestName ? path : std::string();
}

} // namespace

SshSettings unshared(SshSettings settings)
{
    settings.controlFolder.clear();
    return settings;
}

std::vector<std::string> sshWords(const SshSettings& settings, const Host& host)
{
    // env finds ssh on the PATH and tells when there is none. Messages stay English: they are read.
    std::vector<std::string> words{"/usr/bin/env", "LC_MESSAGES=C", "LC_ALL=", "ssh", "-T"};
    const auto option = [&words](const std::string& text) {
        words.emplace_back("-o");
        words.push_back(text);
    };
    if (!settings.config.empty())
        words.insert(words.end(), {"-F", settings.config});
    option("BatchMode=yes");
    option("ConnectTimeout=" + std::to_string(settings.connectSeconds));
    option("ServerAliveInterval=" + std::to_string(settings.aliveSeconds));
    option("ServerAliveCountMax=" + std::to_string(SshSettings::AliveQuestions));
    option("ClearAllForwardings=yes");
    option("RemoteCommand=none");
    option("LogLevel=ERROR");
    if (const std::string path = controlPath(settings, host); !path.empty()) {
        option("ControlMaster=auto");
        option("ControlPath=" + path);
        option("ControlPersist=10");
    }
    return words;
}

std::vector<std::string> sshCommand(const SshSettings& settings, const Host& host,
                                    const std::string& remoteCommand)
{
    std::vector<std::string> words = sshWords(settings, host);
    words.insert(words.end(), {"--", host.sshDestination(), remoteCommand});
    return words;
}

Result<SshSettings> usualSshSettings(const std::string& config)
{
    auto folder = RM_TRY(runtimeFolder());
    return SshSettings{.config = config, .controlFolder = std::move(folder)};
}

std::string shellCommand(std::string_view script)
{
    return "sh -c '" + std::string(script) + "'";
}

Result<SshResolved> resolveSsh(const SshSettings& settings, const Host& host)
{
    std::vector<std::string> words{"/usr/bin/env", "ssh", "-G"};
    if (!settings.config.empty())
        words.insert(words.end(), {"-F", settings.config});
    words.insert(words.end(), {"--", host.sshDestination()});
    const auto said = runBounded(words, currentEnvironment(), std::chrono::seconds(5));
    if (!said)
        return fail(code::SshConfigUnreadable, {{"host", host.sshDestination()}},
                    describe(said.error()));
    SshResolved resolved{.hostName = host.sshDestination()};
    std::istringstream lines(*said);
    for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);) {
        if (key == "hostname")
            resolved.hostName = value;
        else if (key == "user")
            resolved.user = value;
        else if (key == "proxyjump")
            resolved.jump = value;
        else if (key == "port")
            std::from_chars(value.data(), value.data() + value.size(), resolved.port);
    }
    return resolved;
}

} // namespace ringmaster
