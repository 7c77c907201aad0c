#include "engine/launch/Ssh.h"

#include "engine/base/Paths.h"
#include "engine/job/BoundedRun.h"
#include "engine/job/SystemSurroundings.h"

#include <charconv>
#include <sstream>

namespace ringmaster {

std::vector<std::string> sshCommand(const SshSettings& settings, const Host& host,
                                    const std::string& remoteCommand)
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
    option("ServerAliveCountMax=3");
    option("ClearAllForwardings=yes");
    option("RemoteCommand=none");
    option("LogLevel=ERROR");
    if (!settings.controlPath.empty()) {
        option("ControlMaster=auto");
        option("ControlPath=" + settings.controlPath.string());
        option("ControlPersist=10");
    }
    words.insert(words.end(), {"--", host.sshDestination(), remoteCommand});
    return words;
}

Result<SshSettings> usualSshSettings(const std::string& config)
{
    // %C is a hash of 40 characters: the name stays within a socket's 108 bytes.
    return SshSettings{.config = config, .controlPath = RM_TRY(runtimeFolder()) / "ssh-%C"};
}

std::string shellCommand(std::string_view script)
{
    return "sh -c '" + std::string(script) + "'";
}

std::string shellWord(std::string_view text)
{
    std::string word = "'";
    for (const char character : text) {
        if (character == '\'')
            word += "'\\''";
        else
            word += character;
    }
    return word + "'";
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
