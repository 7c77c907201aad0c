#include "engine/agent/AgentPhase.h"

namespace ringmaster {

bool mayFollow(AgentPhase now, AgentPhase next)
{
    switch (now) {
    case AgentPhase::New:
        return next == AgentPhase::Preparing || next == AgentPhase::Joining ||
               next == AgentPhase::Leaving;
    case AgentPhase::Preparing:
    case AgentPhase::Delaying:
    case AgentPhase::InBarrier: return next == AgentPhase::Joining || next == AgentPhase::Leaving;
    case AgentPhase::Joining: return next == AgentPhase::Opening || next == AgentPhase::Leaving;
    case AgentPhase::Opening:
        return next == AgentPhase::Running || next == AgentPhase::Stopping ||
               next == AgentPhase::Closing;
    case AgentPhase::Running:
        // It leaves at once where its keeper was killed and nobody can end what that left.
        return next == AgentPhase::Stopping || next == AgentPhase::Closing ||
               next == AgentPhase::Leaving;
    case AgentPhase::Stopping: return next == AgentPhase::Closing || next == AgentPhase::Leaving;
    case AgentPhase::Closing:
        return next == AgentPhase::Joining || next == AgentPhase::Delaying ||
               next == AgentPhase::InBarrier || next == AgentPhase::Leaving;
    case AgentPhase::Leaving: return next == AgentPhase::Ended;
    case AgentPhase::Ended: break;
    }
    return false;
}

} // namespace ringmaster
