#include "engine/node/UserRestart.h"

#include "engine/agent/Codes.h"
#include "engine/event/EndCause.h"

namespace ringmaster {

bool isByUser(const GroupRestarting& restart)
{
    return restart.cause.code == code::UserRestarted;
}

std::optional<FirstCause> causeOfUsersRestart(const GroupRestarting& restart,
                                              const RunSnapshot& run)
{
    if (!isByUser(restart))
        return std::nullopt;
    const StandingVerdict* found = verdictOfEnd(run, false);
    if (found == nullptr || found->verdict.attempt != restart.attempt)
        return std::nullopt;
    const Verdict& verdict = found->verdict;
    const bool isOne = verdict.guilty.size() == 1;
    return FirstCause{.attempt = restart.attempt,
                      .sure = verdict.isSure && isOne,
                      .globalRank = isOne ? verdict.guilty.front() : -1,
                      .candidates = isOne ? std::vector<int>{} : verdict.guilty,
                      .cause = verdict.statement,
                      .remedy = verdict.remedy};
}

} // namespace ringmaster
