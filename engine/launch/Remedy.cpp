#include "engine/launch/Remedy.h"

#include "engine/job/ShellWords.h"
#include "engine/launch/Codes.h"

namespace ringmaster {

namespace {

std::string valueOf(const Message& message, std::string_view name)
{
    const auto found = message.parameters.find(name);
    return found != message.parameters.end() ? found->second : std::string();
}

std::string trimmed(std::string_view text)
{
    const size_t start = text.find_first_not_of(" \t\r");
    const size_t end = text.find_last_not_of(" \t\r");
    return start == std::string_view::npos ? std::string()
                                           : std::string(text.substr(start, end - start + 1));
}

/// ssh itself says which line of which file has the old key.
std::string keyRemoval(const Message& message, const Host& host)
{
    constexpr std::string_view Command = "ssh-keygen -f";
    const std::string_view said = message.detail;
    const size_t start = said.find(Command);
    if (start == std::string_view::npos)
        return "ssh-keygen -R " + shellQuoted(host.sshDestination());
    return trimmed(said.substr(start, said.find('\n', start) - start));
}

std::string installation(const std::string& interpreter, const std::string& package,
                         const std::string& version)
{
    return shellQuoted(interpreter) + " -m pip install " +
           shellQuoted(version.empty() ? package : package + "==" + version);
}

} // namespace

std::string remedyFor(const Message& message, const Host& host)
{
    const std::string destination = shellQuoted(host.sshDestination());
    const auto there = [&](const std::string& command) {
        return host.isHere() ? command : "ssh " + destination + " " + shellQuoted(command);
    };
    const Code code = message.code;
    if (code == code::HostKeyUnknown)
        return "ssh " + destination;
    if (code == code::HostKeyChanged)
        return keyRemoval(message, host);
    if (code == code::HostRefusesKey || code == code::HostAsksPassword)
        return "ssh-copy-id " + destination;
    if (code == code::HostRefusesConnection || code == code::HostUnreachable ||
        code == code::HostSshFailed || code == code::HostSilent)
        return "ssh -v " + destination + " true";
    if (code == code::SshConfigUnreadable)
        return "ssh -G " + destination;
    if (code == code::PreflightNoTorch)
        return there(installation(valueOf(message, "path"), "torch", valueOf(message, "other")));
    if (code == code::PreflightVersionsDiffer && valueOf(message, "what") == "torch" &&
        valueOf(message, "other") != "no")
        return there(installation(valueOf(message, "path"), "torch", valueOf(message, "other")));
    if (code == code::PreflightLeftOvers)
        return there("kill -9 " + valueOf(message, "processes"));
    if (code == code::PreflightDiskFull || code == code::HostDiskFull)
        return there("du -xsh ~/.cache/* | sort -h");
    if (code == code::PreflightPathMissing && !host.isHere()) {
        const std::string path = valueOf(message, "path");
        return "rsync -a --mkpath " + shellQuoted(path) + " " + destination + ":" +
               shellQuoted(path.substr(0, path.rfind('/') + 1));
    }
    if (code == code::PreflightNameDiffers)
        return there("getent hosts " + shellQuoted(valueOf(message, "name")));
    if (code == code::PreflightClockOff)
        return there("sudo timedatectl set-ntp true");
    return {};
}

} // namespace ringmaster
