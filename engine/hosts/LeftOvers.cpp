#include "engine/hosts/LeftOvers.h"

#include "engine/base/Files.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestFile = 4U << 20U;
constexpr int LongestLine = 100; ///< Of ancestors; a process that goes meanwhile may make a circle.

bool hasVariable(std::string_view environment, std::string_view name)
{
    const std::string wanted = std::string(name) + "=";
    for (size_t at = 0; at < environment.size();) {
        if (environment.substr(at).starts_with(wanted))
            return true;
        const size_t end = environment.find('\0', at);
        at = end == std::string_view::npos ? environment.size() : end + 1;
    }
    return false;
}

/// Field 4 of /proc/PID/stat; the second may itself hold spaces and brackets.
int parentOf(const fs::path& process)
{
    const std::string stat = readFile(process / "stat", LargestFile).value_or("");
    const size_t bracket = stat.rfind(')');
    if (bracket == std::string::npos || bracket + 4 >= stat.size())
        return 0;
    int parent = 0;
    std::from_chars(stat.data() + bracket + 4, stat.data() + stat.size(), parent);
    return parent;
}

/// The machine's first process, or that of the user's session: who takes what others leave.
bool takesOrphans(const fs::path& processes, int pid)
{
    const std::string name =
        readFile(processes / std::to_string(pid) / "comm", LargestFile).value_or("");
    return pid == 1 || name.starts_with("systemd");
}

/// Words of the command line.
std::string commandOf(const fs::path& process)
{
    constexpr size_t Longest = 120;
    std::string text = readFile(process / "cmdline", LargestFile).value_or("");
    std::ranges::replace(text, '\0', ' ');
    std::ranges::replace(text, '\n', ' ');
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text.substr(0, Longest);
}

} // namespace

LeftOvers leftOvers(const fs::path& processes)
{
    std::map<int, int> parents; ///< Of workers, by process.
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(processes, ignored)) {
        const std::string name = entry.path().filename();
        int pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size())
            continue;
        const auto environment = readFile(entry.path() / "environ", LargestFile);
        if (environment && hasVariable(*environment, "RANK") &&
            hasVariable(*environment, "WORLD_SIZE"))
            parents[pid] = parentOf(entry.path());
    }
    LeftOvers found;
    for (const auto& [pid, parent] : parents) {
        int above = parent;
        for (int i = 0; i < LongestLine && parents.contains(above); ++i)
            above = parents[above];
        if (!takesOrphans(processes, above))
            continue;
        if (found.processes.empty())
            found.program = commandOf(processes / std::to_string(pid));
        found.processes += (found.processes.empty() ? "" : " ") + std::to_string(pid);
    }
    return found;
}

} // namespace ringmaster
