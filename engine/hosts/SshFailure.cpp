#include "engine/base/SignalName.h"
#include "engine/hosts/Ssh.h"
#include "engine/text/ShellWords.h"
#include "engine/text/TextSearch.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

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
    Sign{"timed out during banner exchange", code::HostSshdSilent},
    Sign{"Connection timed out", code::HostUnreachable},
    Sign{"No route to host", code::HostUnreachable},
    Sign{"Network is unreachable", code::HostUnreachable},
    Sign{"Operation timed out", code::HostUnreachable},
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
    Sign{"Exec format error", code::HostRunsNoPrograms},
    Sign{"Connection closed by", code::HostTooManySessions},
    Sign{"closed by remote host", code::HostLinkClosed},
};

// Exits of the script that starts the agent, and of the shell that runs it.
constexpr int NoFolderExit = 73;
constexpr int NotUnpackedExit = 74;
constexpr int DamagedExit = 75;
constexpr int NotExecutableExit = 126;

/// Lines that say something: ssh frames its warnings, and ends its lines for a raw terminal.
std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.pop_back();
        if (!line.empty() && line.front() != '@')
            lines.push_back(line);
    }
    return lines;
}

/// One line, for the end of a sentence.
std::string detailOf(const std::vector<std::string>& lines)
{
    constexpr size_t MostLines = 2;
    constexpr size_t Longest = 300;
    std::string text;
    for (size_t i = 0; i < std::min(lines.size(), MostLines); ++i)
        text += (i == 0 ? "" : "; ") + lines[i].substr(0, Longest);
    return lines.size() > MostLines ? text + " …" : text;
}

/// "Permission denied (publickey,password)." names what the host would have taken.
Code ofDenial(const std::string& said)
{
    const bool takesKeys = contains(said, "publickey");
    const bool takesPasswords =
        contains(said, "password") || contains(said, "keyboard-interactive");
    return takesPasswords && !takesKeys ? code::HostAsksPassword : code::HostRefusesKey;
}

std::string missingCommand(const std::vector<std::string>& lines)
{
    // "sh: 1: tar: not found", "bash: line 1: tar: command not found",
    // "tar (child): gzip: Cannot exec: No such file or directory"
    for (const std::string& line : lines)
        for (const std::string_view sign :
             {": command not found", ": not found", ": Cannot exec"}) {
            const size_t end = line.find(sign);
            if (end == std::string::npos || end == 0)
                continue;
            const size_t start = line.rfind(": ", end - 1);
            return start == std::string::npos ? line.substr(0, end)
                                              : line.substr(start + 2, end - start - 2);
        }
    return {};
}

/// ssh itself says which line of which file has the old key.
std::string keyRemoval(const std::vector<std::string>& lines, const Host& host)
{
    constexpr std::string_view Command = "ssh-keygen -f";
    for (const std::string& line : lines)
        if (const size_t start = line.find(Command); start != std::string::npos)
            return line.substr(start);
    return "ssh-keygen -R " + shellQuoted(host.sshDestination());
}

/// Of the key that came, for who compares it.
std::string fingerprint(const std::vector<std::string>& lines)
{
    const auto found = std::ranges::find_if(
        lines, [](const std::string& line) { return line.starts_with("SHA256:"); });
    return found != lines.end() ? *found : std::string();
}

/// What the agent that was started there has against it, without the names in front.
std::string complaint(const std::vector<std::string>& lines, const Host& host)
{
    constexpr std::string_view Program = "ringmaster: ";
    const auto first = std::ranges::find_if(
        lines, [&](const std::string& line) { return line.starts_with(Program); });
    if (first == lines.end())
        return {};
    std::string text = detailOf({first, lines.end()}).substr(Program.size());
    const std::string own = host.name + ": ";
    return text.starts_with(own) ? text.substr(own.size()) : text;
}

Code ofExit(int exitCode, const std::string& said)
{
    const bool isDenied =
        contains(said, "Permission denied") || contains(said, "Read-only file system");
    switch (exitCode) {
    case NoFolderExit: return code::HostCacheDenied;
    case NotUnpackedExit: return isDenied ? code::HostCacheDenied : code::HostBundleDamaged;
    case DamagedExit: return code::HostBundleDamaged;
    case NotExecutableExit: return code::HostRunsNoPrograms;
    case 255: return said.empty() ? code::HostLinkClosed : code::HostSshFailed;
    }
    return code::HostAgentFailed;
}

} // namespace

Error sshFailure(const Host& host, int exitCode, const std::string& said)
{
    const std::vector<std::string> lines = linesOf(said);
    Error error{{code::HostAgentFailed,
                 {{"host", host.name},
                  {"destination", host.sshDestination()},
                  {"path", "~/.cache/ringmaster"},
                  {"command", missingCommand(lines)},
                  {"status", exitText(exitCode)}},
                 detailOf(lines)},
                {}};
    const auto as = [&error](Code code) {
        error.code = code;
        return error;
    };
    if (exitCode < 0)
        return as(code::HostSshKilled);
    if (exitCode == 127 && contains(said, "env:") && contains(said, "ssh"))
        return as(code::SshMissing);
    if (const std::string reason = complaint(lines, host); exitCode != 255 && !reason.empty()) {
        error.parameters["reason"] = reason;
        error.detail.clear();
        return as(code::HostRefusesJob);
    }
    if (contains(said, "Permission denied (") ||
        contains(said, "Permission denied, please try again"))
        return as(ofDenial(said));
    for (const Sign& sign : Signs) {
        if (!contains(said, sign.text))
            continue;
        if (sign.code == code::HostKeyChanged) {
            error.parameters["command"] = keyRemoval(lines, host);
            error.detail = fingerprint(lines);
        }
        return as(sign.code);
    }
    return as(error.parameters["command"].empty() ? ofExit(exitCode, said)
                                                  : code::HostLacksCommand);
}

} // namespace ringmaster
