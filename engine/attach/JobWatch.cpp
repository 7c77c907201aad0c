#include "engine/attach/JobWatch.h"

#include "engine/attach/JobFinder.h"
#include "engine/attach/JobLedgers.h"
#include "engine/attach/ProcessTable.h"
#include "engine/base/Clock.h"
#include "engine/base/ProcessSignal.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

std::vector<WatchedJob> JobWatch::look()
{
    std::vector<WatchedJob> watched;
    m_before = std::exchange(m_now, {});
    for (ForeignJob& job : findJobs(readProcessTable())) {
        numberByLedgers(job);
        WatchedJob entry{.job = std::move(job)};
        for (const ForeignRank& rank : entry.job.ranks)
            entry.ranks.push_back(useOf(rank, SystemClock().now().monotonicNs));
        watched.push_back(std::move(entry));
    }
    return watched;
}

ForeignRankUse JobWatch::useOf(const ForeignRank& rank, std::int64_t nowNs)
{
    const pid_t pid = rank.process.pid;
    ForeignRankUse use{.rank = rank.rank};
    if (const char letter = stateOf(pid); letter == 'T' || letter == 't')
        use.state = ForeignRankUse::State::Stopped;
    else if (rank.isLoading)
        use.state = ForeignRankUse::State::Loading;
    const std::optional<ProcessUsage> usage = usageOf(pid);
    if (!usage)
        return use;
    use.residentBytes = usage->residentBytes;
    const auto before = m_before.find(rank.process);
    if (before != m_before.end() && nowNs > before->second.atNs)
        use.cpuShare = static_cast<double>(usage->cpuNs - before->second.cpuNs) /
                       static_cast<double>(nowNs - before->second.atNs);
    m_now.insert_or_assign(rank.process, Seen{nowNs, usage->cpuNs});
    return use;
}

} // namespace ringmaster
