#include "engine/base/Survivor.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"

#include <filesystem>
#include <sstream>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t MostOfProc = 64U << 10U;

std::string lineOf(const fs::path& path)
{
    const std::string text = readFile(path, MostOfProc).value_or("");
    return text.substr(0, text.find('\n'));
}

/// Of "State:\tD (disk sleep)": "D (disk sleep)".
std::string stateIn(const fs::path& thread)
{
    std::istringstream status(readFile(thread / "status", MostOfProc).value_or(""));
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("State:"))
            return line.substr(line.find_first_not_of(" \t", 6));
    }
    return {};
}

/// Its cgroup of version 1, if that is frozen: nothing ends there. (Those of version 2 can be
/// killed.)
std::string frozenGroupOf(const fs::path& thread)
{
    std::istringstream groups(readFile(thread / "cgroup", MostOfProc).value_or(""));
    for (std::string line; std::getline(groups, line);) {
        const std::size_t at = line.find(":freezer:");
        if (at == std::string::npos)
            continue;
        const std::string group = line.substr(at + 9);
        const fs::path folder = "/sys/fs/cgroup/freezer" + group;
        const std::string state = lineOf(folder / "freezer.state");
        return state == "FROZEN" || state == "FREEZING" ? group : std::string();
    }
    return {};
}

std::string userOf(uid_t id)
{
    // getpwuid() may ask a directory service, which takes its time.
    std::istringstream users(readFile("/etc/passwd").value_or(""));
    for (std::string line; std::getline(users, line);) {
        std::istringstream fields(line);
        std::string name;
        std::string password;
        std::string number;
        std::getline(fields, name, ':');
        std::getline(fields, password, ':');
        std::getline(fields, number, ':');
        if (number == std::to_string(id))
            return name;
    }
    return std::to_string(id);
}

} // namespace

Message describeSurvivor(pid_t pid)
{
    const fs::path process = "/proc/" + std::to_string(pid);
    // One that has ended says nothing of what another waits for.
    const fs::path thread = process / "task" / std::to_string(tellingThreadOf(pid));
    const std::string state = stateIn(thread);
    std::string place = lineOf(thread / "wchan");
    if (place.empty() || place == "0")
        place = "?";
    Parameters parameters{{"pid", std::to_string(pid)}, {"name", lineOf(process / "comm")}};
    struct stat info
    {
    };
    const bool isElses =
        stat(process.c_str(), &info) == 0 && getuid() != 0 && info.st_uid != getuid();
    const std::string group = frozenGroupOf(thread);
    if (isElses) {
        parameters["user"] = userOf(info.st_uid);
        return {.code = code::SurvivorOfOtherUser, .parameters = std::move(parameters)};
    }
    if (!group.empty()) {
        parameters["group"] = group;
        return {.code = code::SurvivorFrozen, .parameters = std::move(parameters)};
    }
    parameters["place"] = place;
    if (state.starts_with('D'))
        return {.code = code::SurvivorInKernel, .parameters = std::move(parameters)};
    parameters["state"] = state.empty() ? "?" : state;
    return {.code = code::SurvivorStillThere, .parameters = std::move(parameters)};
}

} // namespace ringmaster
