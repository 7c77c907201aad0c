#include "engine/hosts/Remedy.h"

#include "engine/hosts/Codes.h"
#include "engine/text/ShellWords.h"

namespace ringmaster {

namespace {

std::string valueOf(const Message& message, std::string_view name)
{
    const auto found = message.parameters.find(name);
    return found != message.parameters.end() ? found->second : std::string();
}

/// "2.11.0+cu130" isn't on PyPI: what follows the plus names one of torch's own indexes.
std::string installation(const std::string& interpreter, const std::string& version)
{
    const size_t plus = version.find('+');
    const std::string build = plus == std::string::npos ? "" : version.substr(plus + 1);
    const bool hasIndex = build == "cpu" || build.starts_with("cu") || build.starts_with("rocm") ||
                          build.starts_with("xpu");
    return shellQuoted(interpreter) + " -m pip install " +
           shellQuoted(version.empty() ? "torch" : "torch==" + version.substr(0, plus)) +
           (hasIndex ? " --index-url " + shellQuoted("https://download.pytorch.org/whl/" + build)
                     : "");
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
        return valueOf(message, "command");
    if (code == code::HostRefusesKey || code == code::HostAsksPassword)
        return "ssh-copy-id " + destination;
    if (code == code::HostRefusesConnection || code == code::HostUnreachable ||
        code == code::HostSshFailed || code == code::HostSilent || code == code::HostSshdSilent)
        return "ssh -v " + destination + " true";
    if (code == code::SshConfigUnreadable)
        return "ssh -G " + destination;
    if (code == code::PreflightNoTorch)
        return there(installation(valueOf(message, "path"), valueOf(message, "other")));
    if (code == code::PreflightVersionsDiffer && valueOf(message, "what") == "torch" &&
        valueOf(message, "other") != "no")
        return there(installation(valueOf(message, "path"), valueOf(message, "other")));
    if (code == code::PreflightLeftOvers)
        return there("kill -9 " + valueOf(message, "processes"));
    if (code == code::PreflightDiskFull || code == code::HostDiskFull)
        return there("du -xsh ~/.cache/* ~/.local/state/* | sort -h");
    if (code == code::PreflightPathMissing && !host.isHere()) {
        const std::string here = valueOf(message, "here");
        const std::string path = valueOf(message, "path") + (here.ends_with('/') ? "/" : "");
        return "rsync -a --mkpath " + shellQuoted(here) + " " + destination + ":" +
               shellQuoted(path);
    }
    if (code == code::PreflightNameDiffers)
        return there("getent hosts " + shellQuoted(valueOf(message, "name")));
    if (code == code::PreflightClockOff)
        return there("sudo timedatectl set-ntp true");
    return {};
}

} // namespace ringmaster
