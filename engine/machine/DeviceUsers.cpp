#include "engine/machine/DeviceUsers.h"

#include "engine/base/EnvironmentText.h"
#include "engine/base/Files.h"
#include "engine/machine/ProcessAbout.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestEnvironment = 4U << 20U;

/// As getenv() has it: the first.
std::string variableOf(std::string_view environment, std::string_view name)
{
    const std::vector<std::string> values = valuesIn(environment, name);
    return values.empty() ? std::string() : values.front();
}

DeviceUser lookAt(const DeviceProcess& process, int device)
{
    const ProcessAbout about = aboutProcess(process.pid);
    DeviceUser user{.device = device,
                    .pid = process.pid,
                    .usedBytes = process.usedBytes,
                    .user = about.user,
                    .command = join(about.arguments, " "),
                    .startedNs = about.startedNs};
    const fs::path folder = fs::path("/proc") / std::to_string(process.pid);
    const std::string environment = readFile(folder / "environ", LongestEnvironment).value_or("");
    user.run = variableOf(environment, "RINGMASTER_RUN");
    const std::string rank = user.run.empty() ? "" : variableOf(environment, "RANK");
    std::from_chars(rank.data(), rank.data() + rank.size(), user.rank);
    return user;
}

} // namespace

std::vector<DeviceUser> deviceUsers(const std::vector<Device>& devices)
{
    std::vector<DeviceUser> users;
    for (const Device& device : devices) {
        for (const DeviceProcess& process : device.processes)
            users.push_back(lookAt(process, device.index));
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
