#include "engine/base/SignalName.h"
#include "engine/launch/Ssh.h"

#include <array>

namespace ringmaster {

namespace {

struct Sign
{
    std::string_view text;
    Code code;
};

// What ssh prints, the most telling first: a changed key, for one, also fails the verification.
constexpr std::array Signs{
    Sign{"REMOTE HOST IDENTIFICATION HAS CHANGED", code::HostKeyChanged},
    Sign{"Could not resolve hostname", code::HostNameUnknown},
    Sign{"host key is known for", code::HostKeyUnknown},
    Sign{"Host key verification failed", code::HostKeyUnknown},
    Sign{"Connection refused", code::HostRefusesConnection},
    Sign{"Connection timed out", code::HostUnreachable},
    Sign{"No route to host", code::HostUnreachable},
    Sign{"Network is unreachable", code::HostUnreachable},
    Sign{"Operation timed out", code::HostUnreachable},
    Sign{"timed out during banner exchange", code::HostUnreachable},
    Sign{"not responding", code::HostLinkLost},
    Sign{"Broken pipe", code::HostLinkLost},
    Sign{"Too many authentication failures", code::HostRefusesKey},
    Sign{"open failed: administratively prohibited", code::HostTooManySessions},
    Sign{"Session open refused by peer", code::HostTooManySessions},
    Sign{"kex_exchange_identification", code::HostTooManySessions},
    Sign{"Connection reset by peer", code::HostTooManySessions},
    Sign{"No space left on device", code::HostDiskFull},
    Sign{"Disk quota exceeded", code::HostDiskFull},
    Sign{"version `GLIBC", code::HostLibraryTooOld},
    Sign{"This account is", code::HostLoginRefused},
    Sign{"Exec format error", code::HostArchitecture},
    Sign{"Connection closed by", code::HostTooManySessions},
    Sign{"closed by remote host", code::HostLinkClosed},
};

constexpr int DamagedExit = 75; ///< Of the script that starts the agent.

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

std::string trimmed(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// "Permission denied (publickey,password)." names what the host would have taken.
Code ofDenial(const std::string& said)
{
    const bool takesKeys = has(said, "publickey");
    const bool takesPasswords = has(said, "password") || has(said, "keyboard-interactive");
    return takesPasswords && !takesKeys ? code::HostAsksPassword : code::HostRefusesKey;
}

std::string missingCommand(const std::string& said)
{
    // "sh: 1: tar: not found", "bash: line 1: tar: command not found"
    const size_t end = said.find(": command not found") != std::string::npos
                           ? said.find(": command not found")
                           : said.find(": not found");
    if (end == std::string::npos)
        return {};
    const size_t start = said.rfind(": ", end - 1);
    return start == std::string::npos ? said.substr(0, end)
                                      : said.substr(start + 2, end - start - 2);
}

std::string statusText(int exitCode)
{
    return exitCode < 0 ? signalName(-exitCode) : "exit code " + std::to_string(exitCode);
}

} // namespace

Error sshFailure(const Host& host, int exitCode, const std::string& standardError)
{
    const std::string said = trimmed(standardError);
    Error error{{code::HostAgentFailed,
                 {{"host", host.name}, {"destination", host.sshDestination()}},
                 said},
                {}};
    const auto as = [&error](Code code) {
        error.code = code;
        return error;
    };
    if (exitCode == 127 && has(said, "env:") && has(said, "ssh"))
        return as(code::SshMissing);
    if (has(said, "Permission denied (") || has(said, "Permission denied, please try again"))
        return as(ofDenial(said));
    for (const Sign& sign : Signs) {
        if (!has(said, sign.text))
            continue;
        error.parameters["path"] = "~/.cache/ringmaster";
        error.parameters["ours"] = error.parameters["theirs"] = "different";
        return as(sign.code);
    }
    if (const std::string command = missingCommand(said); exitCode == 127 && !command.empty()) {
        error.parameters["command"] = command;
        return as(code::HostLacksCommand);
    }
    if (exitCode == DamagedExit)
        return as(code::HostBundleDamaged);
    if (exitCode == 255)
        return as(said.empty() ? code::HostLinkClosed : code::HostSshFailed);
    error.parameters["status"] = statusText(exitCode);
    return error;
}

} // namespace ringmaster
