#include "engine/cli/WorkerMemory.h"

#include "engine/base/ProcessInfo.h"

#include <algorithm>

namespace ringmaster {

std::map<int, std::int64_t> workerMemory(const RunSnapshot& run)
{
    std::map<int, std::int64_t> memory;
    if (isFinal(run.state))
        return memory;
    const std::vector<pid_t> ours = processesWithEnvironment("RINGMASTER_RUN", run.run);
    for (const WorkerSnapshot& worker : run.workers) {
        if (std::ranges::find(ours, worker.pid) == ours.end())
            continue;
        if (const auto bytes = proportionalMemoryOf(worker.pid); bytes && *bytes > 0)
            memory[worker.assignment.globalRank] = *bytes;
    }
    return memory;
}

} // namespace ringmaster
