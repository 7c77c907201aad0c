#include "engine/agent/ProcessSampler.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace ringmaster {
namespace {

struct Row
{
    ProcessIdentity identity{};
    pid_t parent = 0;
    std::int64_t cpuNs = 0;
    std::int64_t residentBytes = 0;
};

/// /proc/PID/stat, see proc(5); the name in parentheses may contain anything.
bool readRow(int procFolder, const char* pid, Row& row)
{
    const std::string name = std::string(pid) + "/stat";
    const int fd = ::openat(procFolder, name.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    std::array<char, 1024> text{};
    const ssize_t size = ::read(fd, text.data(), text.size() - 1);
    ::close(fd);
    const char* rest = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
    if (rest == nullptr)
        return false;
    unsigned long user = 0;
    unsigned long system = 0;
    unsigned long long startTime = 0;
    long pages = 0;
    const int count = std::sscanf(rest + 1,
                                  " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d "
                                  "%*d %*d %*d %llu %*u %ld",
                                  &row.parent, &user, &system, &startTime, &pages);
    if (count != 5)
        return false;
    static const std::int64_t NsPerTick = 1'000'000'000 / ::sysconf(_SC_CLK_TCK);
    static const std::int64_t PageSize = ::sysconf(_SC_PAGESIZE);
    row.identity = {static_cast<pid_t>(std::atoi(pid)), startTime};
    row.cpuNs = static_cast<std::int64_t>(user + system) * NsPerTick;
    row.residentBytes = pages * PageSize;
    return true;
}

std::vector<Row> allProcesses()
{
    std::vector<Row> rows;
    DIR* folder = ::opendir("/proc");
    if (folder == nullptr)
        return rows;
    while (const dirent* entry = ::readdir(folder)) {
        Row row;
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            readRow(::dirfd(folder), entry->d_name, row))
            rows.push_back(row);
    }
    ::closedir(folder);
    return rows;
}

using ByParent = std::unordered_multimap<pid_t, const Row*>;

void collect(const ByParent& children, pid_t parent, std::vector<const Row*>& found)
{
    const auto [begin, end] = children.equal_range(parent);
    for (auto child = begin; child != end; ++child) {
        found.push_back(child->second);
        collect(children, child->second->identity.pid, found);
    }
}

} // namespace

ProcessSampler::ProcessSampler(EventLoop& loop, const Clock& clock, Targets targets, Report report)
    : m_loop(loop), m_clock(clock), m_targets(std::move(targets)), m_report(std::move(report))
{
}

void ProcessSampler::setOn(bool on)
{
    if (on == m_timer.isActive())
        return;
    m_timer.cancel();
    m_cpuNs.clear();
    m_lastNs = 0;
    if (on)
        again();
}

void ProcessSampler::again()
{
    sampleNow();
    m_timer = m_loop.callAfter(std::chrono::seconds(1), [this] { again(); });
}

void ProcessSampler::sampleNow()
{
    const std::vector<Target> targets = m_targets();
    const std::vector<Row> rows = targets.empty() ? std::vector<Row>() : allProcesses();
    ByParent children;
    for (const Row& row : rows)
        children.emplace(row.parent, &row);

    const std::int64_t now = m_clock.now().monotonicNs;
    const std::int64_t elapsed = now - m_lastNs;
    const bool hasEarlier = m_lastNs != 0 && elapsed > 0;
    std::map<ProcessIdentity, std::int64_t> cpuNs;
    std::map<ProcessIdentity, std::int64_t> memory;
    const auto next = m_memory.upper_bound(m_measured);
    m_measured = next != m_memory.end() ? next->first : ProcessIdentity{};
    for (const Target& target : targets) {
        std::vector<const Row*> tree;
        for (const Row& row : rows)
            if (row.identity.pid == target.pid)
                tree.push_back(&row);
        if (tree.empty())
            continue;
        collect(children, target.pid, tree);

        Sample sample{.globalRank = target.globalRank};
        std::int64_t used = 0;
        for (const Row* row : tree) {
            cpuNs[row->identity] = row->cpuNs;
            sample.residentBytes += memoryOf(row->identity, row->residentBytes);
            memory[row->identity] = m_memory[row->identity];
            // A process that is new since the last pass has used all of its time since then.
            const auto before = m_cpuNs.find(row->identity);
            used += row->cpuNs - (before != m_cpuNs.end() ? before->second : 0);
        }
        sample.cpuFraction = static_cast<double>(used) / static_cast<double>(elapsed);
        if (hasEarlier)
            m_report(sample);
    }
    m_cpuNs = std::move(cpuNs);
    m_memory = std::move(memory);
    m_lastNs = now;
}

std::int64_t ProcessSampler::memoryOf(const ProcessIdentity& process, std::int64_t resident)
{
    const auto known = m_memory.find(process);
    if (known != m_memory.end() && process != m_measured)
        return known->second;
    const std::int64_t measured = proportionalMemoryOf(process.pid).value_or(resident);
    m_memory[process] = measured;
    return measured;
}

} // namespace ringmaster
