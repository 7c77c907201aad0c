#include "engine/machine/DeviceUsers.h"

#include "engine/base/EnvironmentText.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestEnvironment = 4U << 20U;
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

std::string commandLineOf(const fs::path& process)
{
    std::string line = readFile(process / "cmdline", LongestCommand).value_or("");
    std::ranges::replace(line, '\0', ' ');
    while (line.ends_with(' '))
        line.pop_back();
    return line;
}

/// In nanoseconds since 1970, from /proc/stat; 0: not known.
std::int64_t bootTime()
{
    const std::string text = readFile("/proc/stat", LongestEnvironment).value_or("");
    constexpr std::string_view Name = "\nbtime ";
    const size_t at = text.find(Name);
    std::int64_t seconds = 0;
    if (at != std::string::npos)
        std::from_chars(text.data() + at + Name.size(), text.data() + text.size(), seconds);
    return seconds * 1'000'000'000;
}

/// As getenv() has it: the first.
std::string variableOf(std::string_view environment, std::string_view name)
{
    const std::vector<std::string> values = valuesIn(environment, name);
    return values.empty() ? std::string() : values.front();
}

DeviceUser lookAt(const DeviceProcess& process, int device, std::int64_t bootNs)
{
    DeviceUser user{.device = device, .pid = process.pid, .usedBytes = process.usedBytes};
    const fs::path folder = fs::path("/proc") / std::to_string(process.pid);
    user.user = ownerOf(folder);
    user.command = commandLineOf(folder);
    const auto ticks = startTimeOf(process.pid);
    const long perSecond = sysconf(_SC_CLK_TCK);
    if (ticks && bootNs != 0 && perSecond > 0)
        user.startedNs = bootNs + static_cast<std::int64_t>(*ticks) * (1'000'000'000 / perSecond);
    const std::string environment = readFile(folder / "environ", LongestEnvironment).value_or("");
    user.run = variableOf(environment, "RINGMASTER_RUN");
    const std::string rank = user.run.empty() ? "" : variableOf(environment, "RANK");
    std::from_chars(rank.data(), rank.data() + rank.size(), user.rank);
    return user;
}

} // namespace

std::vector<DeviceUser> deviceUsers(const std::vector<Device>& devices)
{
    const std::int64_t bootNs = bootTime();
    std::vector<DeviceUser> users;
    for (const Device& device : devices) {
        for (const DeviceProcess& process : device.processes)
            users.push_back(lookAt(process, device.index, bootNs));
    }
    std::ranges::stable_sort(users, [](const DeviceUser& one, const DeviceUser& other) {
        return std::pair(one.device, -one.usedBytes) < std::pair(other.device, -other.usedBytes);
    });
    return users;
}

std::vector<StrayRanks> strayRanks(const std::vector<DeviceUser>& users)
{
    using Rank = std::pair<std::string, int>; // run and rank
    std::map<Rank, std::map<int, std::int64_t>> held;
    for (const DeviceUser& user : users) {
        if (!user.run.empty() && user.rank >= 0)
            held[{user.run, user.rank}][user.device] += std::max<std::int64_t>(user.usedBytes, 0);
    }
    std::map<std::pair<std::string, int>, std::vector<int>> workers; // by run and GPU
    std::map<std::pair<std::string, int>, std::vector<int>> strays;
    for (const auto& [rank, devices] : held) {
        const auto own =
            std::ranges::max_element(devices, {}, [](const auto& of) { return of.second; });
        workers[{rank.first, own->first}].push_back(rank.second);
        for (const auto& [device, bytes] : devices) {
            if (device != own->first)
                strays[{rank.first, device}].push_back(rank.second);
        }
    }
    std::vector<StrayRanks> found;
    for (auto& [place, ranks] : strays) {
        if (workers.contains(place))
            found.push_back({place.first, place.second, std::move(ranks)});
    }
    return found;
}

} // namespace ringmaster
