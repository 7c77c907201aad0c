#include "engine/base/SignalName.h"

#include <charconv>
#include <csignal>
#include <cstring>

namespace ringmaster {

std::string signalName(int signal)
{
    if (const char* name = sigabbrev_np(signal); name != nullptr)
        return std::string("SIG") + name;
    if (signal == SIGRTMIN)
        return "SIGRTMIN";
    if (signal > SIGRTMIN && signal <= SIGRTMAX)
        return "SIGRTMIN+" + std::to_string(signal - SIGRTMIN);
    return "signal " + std::to_string(signal);
}

std::string exitText(int exitCode)
{
    return exitCode < 0 ? signalName(-exitCode) : "exit code " + std::to_string(exitCode);
}

std::optional<int> signalFromName(std::string_view name)
{
    int number = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), number);
    if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size())
        return number > 0 && number < NSIG ? std::optional(number) : std::nullopt;
    for (number = 1; number < NSIG; ++number) {
        const std::string full = signalName(number);
        if (full == name || (full.starts_with("SIG") && full.substr(3) == name))
            return number;
    }
    return std::nullopt;
}

} // namespace ringmaster
