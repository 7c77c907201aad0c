#include "engine/attach/ForeignJob.h"

#include <algorithm>

namespace ringmaster {

bool ForeignJob::has(pid_t pid) const
{
    return started.pid == pid || std::ranges::any_of(ranks, [pid](const ForeignRank& rank) {
               return rank.process.pid == pid;
           });
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
    }
    return "python";
}

} // namespace ringmaster
