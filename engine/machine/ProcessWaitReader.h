#pragma once

#include "engine/machine/ProcessWait.h"
#include "engine/machine/SystemCall.h"

#include <deque>
#include <map>

namespace ringmaster {

/// Says what one process waits for, from look to look: what moves is seen by comparing. It reads
/// /proc and asks the kernel about sockets; it touches no file of the process's own, so that a dead
/// file system doesn't stop it. What it may not read, or what ends meanwhile, is left out. One
/// thread.
class ProcessWaitReader
{
public:
    ProcessWait look(pid_t pid, std::int64_t nowNs);

    static constexpr std::int64_t SpanNs = 5'000'000'000;
    static constexpr size_t MostChildren = 8; ///< Told; more are looked at.

private:
    using Kind = ProcessWait::Kind;
    using Child = ProcessWait::Child;
    struct Sample
    {
        std::int64_t atNs = 0;
        std::int64_t value = 0;
    };
    struct Meter
    {
        std::deque<Sample> samples{};
        std::int64_t usedNs = 0;
    };
    struct Sleep
    {
        std::int64_t endNs = 0;
        std::int64_t seenNs = 0;
        std::int64_t longestNs = 0; ///< Of those before it.
        bool isFirst = true;
        std::int64_t usedNs = 0;
    };

    /// By its own system call, its descriptors and its children.
    ProcessWait waitOf(pid_t pid, pid_t thread, std::vector<Child>& children);
    void lookAtDescriptor(ProcessWait& wait, pid_t pid, const SystemCall& call, int descriptor,
                          std::vector<Child>& children);
    void lookAtSocket(ProcessWait& wait, pid_t pid, const SystemCall& call, std::uint64_t inode);
    void lookAtFile(ProcessWait& wait, pid_t pid);
    void lookAtSleep(ProcessWait& wait, pid_t thread, std::int64_t endNs);
    void lookAtOtherThreads(ProcessWait& wait, pid_t pid, std::vector<Child>& children);
    std::vector<Child> childrenOf(pid_t pid);
    void lookAtCopy(Child& child);
    /// How much a value has grown in the last SpanNs.
    void measure(ProcessWait& wait, const std::string& what, std::int64_t value);
    void forgetUnused();

    pid_t m_pid = 0;
    std::int64_t m_nowNs = 0;
    std::map<std::string, Meter> m_meters;
    std::map<pid_t, Sleep> m_sleeps; ///< By thread.
};

} // namespace ringmaster
