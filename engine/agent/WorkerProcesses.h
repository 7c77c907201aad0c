#pragma once

#include "engine/base/Result.h"
#include "engine/worker/OutOfMemoryWatch.h"
#include "engine/worker/Output.h"
#include "engine/worker/WorkerExit.h"
#include "engine/worker/WorkerLaunch.h"
#include "engine/worker/warm/WarmRequest.h"

#include <functional>
#include <optional>
#include <vector>

namespace ringmaster {

/// The worker processes of one attempt after the other: what the agent needs from the keeper and
/// the output hub (KeeperWorkerProcesses). Lives on the agent's loop; every call returns at once,
/// and the Host is told later, never inside the call.
class WorkerProcesses
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        /// Answers open(); the descriptors stay behind.
        virtual void attemptOpened(const Result<AttemptOutput>& output) = 0;
        /// How a warm start that was asked for went; before the first workerStarted().
        virtual void startExplained(const Message& how) = 0;
        virtual void workerStarted(int localRank, pid_t pid, Moment at) = 0;
        virtual void workerNotStarted(int localRank, const Error& error) = 0;
        virtual void workerExited(int localRank, const WorkerExit& exit) = 0;
        /// Once after each workerExited(), as soon as its output is read: what it said, and whether
        /// the kernel killed it for want of memory.
        virtual void workerExplained(const WorkerExitReport& report,
                                     OutOfMemoryWatch::Finding outOfMemory) = 0;
        /// After stop() and workerExited(): nothing of its session is left.
        virtual void sessionEnded(int localRank) = 0;
        /// The keeper is gone with all that it kept, unless it mayHaveSurvivors(), though nobody
        /// asked for it; close() follows.
        virtual void keeperDied(const Error& error) = 0;
        /// Answers close(), after the last workerExplained(): no process of the attempt is left,
        /// all its output is kept.
        virtual void attemptClosed() = 0;
    };

    virtual ~WorkerProcesses() = default;

    virtual void open(AttemptOutputRequest request) = 0;

    /// In this order. Output is added by the implementation. With `warm`, forked from the warm
    /// starter where that can be.
    virtual Result<void> start(std::vector<WorkerLaunch> launches,
                               std::optional<WarmRequest> warm) = 0;

    /// True if the start still waits for the warm starter: then no worker will be started.
    virtual bool abandonStart() = 0;

    /// To the worker's process group.
    virtual void signal(int localRank, int number) = 0;

    /// To the worker alone; the rest of its session is told when the worker has ended, of a SIGKILL
    /// as it was to be told before. What has no sessions does as for signal().
    virtual void stop(int localRank, int number) { signal(localRank, number); }

    /// Kills whatever is left, descendants of the workers included.
    virtual void close() = 0;

    /// What close() or the keeper's end couldn't end so far, and why; asked when that takes long.
    virtual std::vector<Message> survivors() const { return {}; }

    /// After Host::keeperDied(): nobody knows that all is gone, also where survivors() is empty.
    virtual bool mayHaveSurvivors() const { return !survivors().empty(); }

    /// After close(): no process is left; what they have written is still being kept.
    virtual bool areGone() const { return false; }

    /// All output is shown as well: the last call.
    virtual void finish(std::function<void()> done) = 0;
};

} // namespace ringmaster
