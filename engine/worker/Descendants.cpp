#include "engine/worker/Descendants.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::optional<ProcessRow> rowOf(pid_t pid)
{
    std::array<char, 64> path{};
    std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
    const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return std::nullopt;
    std::array<char, 1024> text{};
    const ssize_t got = read(file, text.data(), text.size() - 1);
    close(file);
    // The name, in brackets, may itself hold brackets and spaces: fields are counted behind it.
    const char* behindName = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
    if (behindName == nullptr)
        return std::nullopt;
    ProcessRow row;
    row.pid = pid;
    char state = 0;
    unsigned long long startTime = 0;
    // proc(5): fields 3 to 6, then 22.
    const int fields =
        std::sscanf(behindName + 1,
                    " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                    &state, &row.parent, &row.group, &row.session, &startTime);
    row.startTime = startTime;
    row.isZombie = state == 'Z' || state == 'X';
    return fields == 5 ? std::optional(row) : std::nullopt;
}

std::vector<ProcessRow> allProcesses()
{
    std::vector<ProcessRow> rows;
    DIR* folder = opendir("/proc");
    if (folder == nullptr)
        return rows;
    while (const dirent* entry = readdir(folder)) {
        const char* end = entry->d_name + std::strlen(entry->d_name);
        pid_t pid = 0;
        const auto parsed = std::from_chars(entry->d_name, end, pid);
        if (parsed.ec != std::errc() || parsed.ptr != end)
            continue;
        if (const std::optional<ProcessRow> row = rowOf(pid))
            rows.push_back(*row);
    }
    closedir(folder);
    return rows;
}

} // namespace

std::vector<ProcessRow> descendantsOf(pid_t root, const std::vector<pid_t>& spared)
{
    std::vector<ProcessRow> rest = allProcesses();
    std::vector<ProcessRow> found;
    std::vector<pid_t> parents{root};
    while (!parents.empty()) {
        const pid_t parent = parents.back();
        parents.pop_back();
        const auto children = std::partition(
            rest.begin(), rest.end(), [&](const ProcessRow& row) { return row.parent != parent; });
        for (auto child = children; child != rest.end(); ++child) {
            if (std::find(spared.begin(), spared.end(), child->pid) != spared.end())
                continue;
            found.push_back(*child);
            parents.push_back(child->pid);
        }
        rest.erase(children, rest.end());
    }
    return found;
}

bool signalProcess(const ProcessRow& process, int number)
{
    const auto pidfd = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0U));
    if (pidfd < 0)
        return false;
    const std::optional<ProcessRow> now = rowOf(process.pid);
    const bool isSent = now && now->startTime == process.startTime &&
                        syscall(SYS_pidfd_send_signal, pidfd, number, nullptr, 0U) == 0;
    close(pidfd);
    return isSent;
}

} // namespace ringmaster
