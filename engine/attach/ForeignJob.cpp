#include "engine/attach/ForeignJob.h"

#include "engine/attach/Codes.h"

#include <algorithm>

namespace ringmaster {

bool ForeignJob::has(pid_t pid) const
{
    return started.pid == pid || std::ranges::any_of(ranks, [pid](const ForeignRank& rank) {
               return rank.process.pid == pid;
           });
}

ProcessIdentity ForeignJob::identity() const
{
    // A launcher starts its ranks anew; a raylet has those of other jobs, too.
    const bool isLaunched = launcher != Launcher::Unknown && launcher != Launcher::Ray;
    return (isLaunched && started.pid > 0) || ranks.empty() ? started : ranks.front().process;
}

std::string_view nameOf(ForeignJob::Launcher launcher)
{
    switch (launcher) {
    case ForeignJob::Launcher::Unknown: break;
    case ForeignJob::Launcher::Torchrun: return "torchrun";
    case ForeignJob::Launcher::Accelerate: return "accelerate";
    case ForeignJob::Launcher::DeepSpeed: return "deepspeed";
    case ForeignJob::Launcher::Slurm: return "srun";
    case ForeignJob::Launcher::Mpi: return "mpirun";
    case ForeignJob::Launcher::Ray: return "ray";
    }
    return "python";
}

std::vector<Message> remarksOn(const ForeignJob& job)
{
    std::vector<Message> remarks;
    const auto count = static_cast<int>(job.ranks.size());
    if (job.worldSize > count)
        remarks.push_back(
            {code::ForeignJobInPart,
             {{"count", std::to_string(count)}, {"world", std::to_string(job.worldSize)}},
             {}});
    if (!job.areRanksKnown)
        remarks.push_back({code::ForeignRanksByOrder, {}, {}});
    return remarks;
}

} // namespace ringmaster
