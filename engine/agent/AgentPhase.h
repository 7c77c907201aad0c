#pragma once

namespace ringmaster {

/// What an agent is doing, in the order of a run.
enum class AgentPhase {
    New,
    Preparing, ///< What the workers need is being brought here.
    Joining,
    InAttempt, ///< There is a worker group: see WorkerSupervisor::Phase.
    Delaying,  ///< Before a restart.
    InBarrier,
    Leaving, ///< It has said how the run ended, which is its last word.
    Ended
};

/// The transition table: every other change of phase is a mistake of the agent's.
bool mayFollow(AgentPhase now, AgentPhase next);

} // namespace ringmaster
