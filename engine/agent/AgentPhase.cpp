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
    case AgentPhase::Joining: return next == AgentPhase::InAttempt || next == AgentPhase::Leaving;
    case AgentPhase::InAttempt:
        return next == AgentPhase::Joining || next == AgentPhase::Delaying ||
               next == AgentPhase::InBarrier || next == AgentPhase::Leaving;
    case AgentPhase::Leaving: return next == AgentPhase::Ended;
    case AgentPhase::Ended: break;
    }
    return false;
}

} // namespace ringmaster
