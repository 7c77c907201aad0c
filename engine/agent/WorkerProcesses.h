#pragma once

#include "engine/base/Clock.h"
#include "engine/base/Result.h"
#include "engine/event/Event.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// All that starting one worker takes.
struct WorkerLaunch
{
    WorkerAssignment assignment{};
    std::vector<std::string> command{};
    std::map<std::string, std::string> environment{}; ///< All of it; nothing is inherited.
    std::filesystem::path workingFolder{};            ///< Empty: the agent's.
};

/// The worker processes of one attempt: what the agent needs from the keeper and the output hub.
/// Lives on the agent's loop; every call returns at once, and the Host is told later.
class WorkerProcesses
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void workerStarted(int localRank, int pid, const Moment& at) = 0;
        virtual void workerNotStarted(int localRank, const Error& error, const Moment& at) = 0;
        virtual void workerExited(int localRank, const ExitStatus& status, const Moment& at) = 0;
        /// The keeper is gone with all that it kept, though nobody asked for it.
        virtual void processesLost(const Error& error) = 0;
        /// After end(): no process of the attempt is left, and its output is written out.
        virtual void processesEnded() = 0;
    };

    virtual ~WorkerProcesses() = default;

    /// Starts them in the order given.
    virtual void start(const AttemptStarted& attempt, std::vector<WorkerLaunch> launches) = 0;

    /// To the process group of a worker that has not exited; nothing to others.
    virtual void signal(int localRank, int signal) = 0;

    /// Kills whatever is left, descendants of the workers included, then calls processesEnded().
    virtual void end() = 0;
};

} // namespace ringmaster
