#include "engine/attach/JobEnd.h"

#include "engine/attach/Codes.h"
#include "engine/base/ProcessSignal.h"

#include <cerrno>
#include <csignal>

namespace ringmaster {

std::vector<ProcessIdentity> processesToEnd(const ForeignJob& job)
{
    switch (job.launcher) {
    case ForeignJob::Launcher::Torchrun:
    case ForeignJob::Launcher::Accelerate:
    case ForeignJob::Launcher::DeepSpeed:
        if (job.started.pid > 0)
            return {job.started};
        break;
    // What is above those of Slurm, MPI and Ray belongs to the system, and above the others may be
    // a user's shell.
    case ForeignJob::Launcher::Slurm:
    case ForeignJob::Launcher::Mpi:
    case ForeignJob::Launcher::Ray:
    case ForeignJob::Launcher::Unknown: break;
    }
    std::vector<ProcessIdentity> ranks;
    for (const ForeignRank& rank : job.ranks)
        ranks.push_back(rank.process);
    return ranks;
}

Result<void> endJob(const ForeignJob& job)
{
    bool isAnyAsked = false;
    for (const ProcessIdentity& process : processesToEnd(job)) {
        errno = 0;
        if (signalProcess(process, SIGTERM))
            isAnyAsked = true;
        else if (errno == EPERM)
            return fail(code::ForeignJobForbidden, {{"pid", std::to_string(process.pid)}});
    }
    if (!isAnyAsked)
        return fail(code::ForeignJobGone, {{"name", job.name}});
    return {};
}

} // namespace ringmaster
