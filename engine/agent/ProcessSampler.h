#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/base/ProcessInfo.h"

#include <functional>
#include <map>
#include <vector>

namespace ringmaster {

/// Measures CPU and memory of each worker with all that descends from it, once a second while it is
/// on: one pass over /proc, whatever the number of workers.
class ProcessSampler
{
public:
    struct Target
    {
        int globalRank = 0;
        pid_t pid = -1;
    };
    struct Sample
    {
        int globalRank = 0;
        double cpuFraction = 0;         ///< 1.0 is one core.
        std::int64_t residentBytes = 0; ///< Its own share (PSS) of what is resident: workers that
                                        ///< were forked from one process share most of theirs.
    };

    using Targets = std::function<std::vector<Target>()>;
    using Report = std::function<void(const Sample&)>;

    ProcessSampler(EventLoop& loop, const Clock& clock, Targets targets, Report report);

    void setOn(bool on);

    /// One pass now; the first one after setOn(true) only learns where the counters stand.
    void sampleNow();

private:
    void again();
    std::int64_t memoryOf(const ProcessIdentity& process, std::int64_t resident);

    EventLoop& m_loop;
    const Clock& m_clock;
    Targets m_targets;
    Report m_report;
    std::map<ProcessIdentity, std::int64_t> m_cpuNs;  ///< At the last pass, of all descendants.
    std::map<ProcessIdentity, std::int64_t> m_memory; ///< Of the same.
    ProcessIdentity m_measured{}; ///< To measure anew in this pass; it takes milliseconds, so one.
    std::int64_t m_lastNs = 0;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
