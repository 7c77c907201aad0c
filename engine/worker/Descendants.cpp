#include "engine/worker/Descendants.h"

#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ringmaster {

namespace {

std::optional<ProcessRow> rowOf(pid_t pid)
{
    const std::string stat = statOf(pid);
    ProcessRow row;
    row.pid = pid;
    unsigned long long startTime = 0;
    // proc(5): fields 4 to 6, then 22.
    const int fields = std::sscanf(
        stat.c_str(),
        " %*c %d %d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
        &row.parent, &row.group, &row.session, &startTime);
    row.startTime = startTime;
    row.isZombie = isZombie(stat);
    return fields == 4 ? std::optional(row) : std::nullopt;
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

std::vector<ProcessRow> descendantsAmong(std::vector<ProcessRow> rest, pid_t root,
                                         const std::vector<pid_t>& spared)
{
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

} // namespace

std::vector<ProcessRow> descendantsOf(pid_t root, const std::vector<pid_t>& spared)
{
    return descendantsAmong(allProcesses(), root, spared);
}

bool hasDied(pid_t child)
{
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
}

void ProcessTable::read()
{
    if (!m_rows)
        m_rows = allProcesses();
}

std::vector<ProcessRow> ProcessTable::descendantsOf(pid_t root, const std::vector<pid_t>& spared)
{
    read();
    return descendantsAmong(*m_rows, root, spared);
}

bool signalProcess(const ProcessRow& process, int number)
{
    return signalProcess(ProcessIdentity{process.pid, process.startTime}, number);
}

} // namespace ringmaster
