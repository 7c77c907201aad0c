#pragma once

#include "engine/agent/AgentOptions.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/agent/WorkerProcesses.h"
#include "engine/job/JobSpec.h"
#include "engine/job/WorkerEnvironment.h"
#include "engine/rendezvous/Rendezvous.h"

namespace ringmaster {

/// What a worker group's start depends on. `timerFile` is the watchdog's; empty: none.
struct LaunchFacts
{
    const JobSpec& spec;
    const AgentOptions& options;
    const Round& round;
    const WorkerGroup& group;
    const AttemptOutput& output;
    std::string timerFile{};
};

struct LaunchPlan
{
    std::vector<WorkerLaunch> launches{}; ///< By local rank; output is not connected yet.
    bool warnsAboutThreads = false;       ///< See WorkerEnvironment.
};

/// Command, environment and folder of each worker, by torchrun's rules and what the job asks for.
Result<LaunchPlan> planLaunches(const LaunchFacts& facts);

} // namespace ringmaster
