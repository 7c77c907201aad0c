#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <sys/types.h>

namespace ringmaster {

/// What the kernel says about processes that it ended for want of memory: counters of our cgroup
/// (version 2, or 1) and of the machine, read before and after, and the kernel's log where we may
/// read it. Each may be missing.
class OutOfMemoryWatch
{
public:
    enum class Finding {
        No,
        Possible, ///< A process of the machine, or one of several candidates, was ended.
        Certain   ///< This one, or one of this job's cgroup while no other died so.
    };

    /// Where the kernel's files are; tests bring their own.
    struct Files
    {
        std::filesystem::path ownGroups = "/proc/self/cgroup";
        std::filesystem::path groups = "/sys/fs/cgroup";
        std::filesystem::path machine = "/proc/vmstat";
        std::filesystem::path log = "/dev/kmsg";
    };

    OutOfMemoryWatch() : OutOfMemoryWatch(Files{}) {}
    explicit OutOfMemoryWatch(Files files);

    /// Notes the counters as they are now: before an attempt.
    void reset();

    /// About a process that died of SIGKILL without our doing. Each kill of the counters explains
    /// one such death.
    Finding judge(pid_t pid);

private:
    struct Counters
    {
        std::optional<std::uint64_t> group;
        std::optional<std::uint64_t> machine;
    };

    Counters read() const;
    bool isInLog(pid_t pid) const;

    Files m_files;
    Counters m_explained;
};

/// True if a line of the kernel's log says that it ended this process for want of memory.
bool reportsOutOfMemory(std::string_view line, pid_t pid);

} // namespace ringmaster
