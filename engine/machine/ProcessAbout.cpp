#include "engine/machine/ProcessAbout.h"

#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestText = 4U << 20U;
constexpr size_t LongestCommand = 4096;

std::string ownerOf(const fs::path& process)
{
    struct stat status
    {
    };
    if (stat(process.c_str(), &status) != 0)
        return {};
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(status.st_uid, &entry, buffer.data(), buffer.size(), &found) != 0 ||
        found == nullptr)
        return std::to_string(status.st_uid);
    return found->pw_name;
}

std::vector<std::string> argumentsOf(const fs::path& process)
{
    const std::string line = readFile(process / "cmdline", LongestText).value_or("");
    std::vector<std::string> arguments;
    for (size_t at = 0; at < std::min(line.size(), LongestCommand);) {
        const size_t end = std::min(line.find('\0', at), std::min(line.size(), LongestCommand));
        arguments.push_back(line.substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

/// In nanoseconds since 1970, from /proc/stat; 0: not known.
std::int64_t bootTime()
{
    const std::string text = readFile("/proc/stat", LongestText).value_or("");
    constexpr std::string_view Name = "\nbtime ";
    const size_t at = text.find(Name);
    std::int64_t seconds = 0;
    if (at != std::string::npos)
        std::from_chars(text.data() + at + Name.size(), text.data() + text.size(), seconds);
    return seconds * 1'000'000'000;
}

} // namespace

ProcessAbout aboutProcess(pid_t pid)
{
    static const std::int64_t BootNs = bootTime();
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    ProcessAbout about{.user = ownerOf(folder), .arguments = argumentsOf(folder)};
    const auto ticks = startTimeOf(pid);
    const long perSecond = sysconf(_SC_CLK_TCK);
    if (ticks && BootNs != 0 && perSecond > 0)
        about.startedNs = BootNs + static_cast<std::int64_t>(*ticks) * (1'000'000'000 / perSecond);
    return about;
}

} // namespace ringmaster
