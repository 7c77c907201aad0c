#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A process that can't be mistaken for a later one with the same number.
struct ProcessIdentity
{
    pid_t pid = -1;
    std::uint64_t startTime = 0; ///< Clock ticks after boot: field 22 of /proc/PID/stat.

    auto operator<=>(const ProcessIdentity&) const = default;
};

/// Nothing when there is no such process.
std::optional<ProcessIdentity> identityOf(pid_t pid);

/// True only for the very same process, and only while it isn't a zombie: isZombie().
bool isAlive(const ProcessIdentity& process);

/// CPU time (user and system) and memory of one process, as /proc says; nothing when it is gone.
struct ProcessUsage
{
    std::int64_t cpuNs = 0;
    std::int64_t residentBytes = 0; ///< From /proc/PID/stat: cheap, counts shared pages in full.
};
std::optional<ProcessUsage> usageOf(pid_t pid);

/// Proportional set size in bytes from /proc/PID/smaps_rollup: costs milliseconds for a torch
/// process.
std::optional<std::int64_t> proportionalMemoryOf(pid_t pid);

/// Processes of this user whose environment has `NAME=value`; used to find what a killed agent
/// left.
std::vector<pid_t> processesWithEnvironment(const std::string& name, const std::string& value);

/// What a process was started with as `name`; none where it is gone, or somebody else's. A variable
/// may be there more than once.
std::vector<std::string> startedWith(pid_t pid, const std::string& name);

} // namespace ringmaster
