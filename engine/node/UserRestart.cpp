#include "engine/node/UserRestart.h"

#include "engine/agent/Codes.h"

#include <algorithm>

namespace ringmaster {

bool isByUser(const GroupRestarting& restart)
{
    return restart.cause.code == code::UserRestarted;
}

std::optional<FirstCause> causeOfUsersRestart(const GroupRestarting& restart,
                                              const RunSnapshot& run)
{
    using Kind = Verdict::Kind;
    if (!isByUser(restart))
        return std::nullopt;
    const auto found = std::ranges::find_if(run.verdicts, [&](const StandingVerdict& standing) {
        const Verdict& verdict = standing.verdict;
        return verdict.attempt == restart.attempt &&
               (verdict.kind == Kind::Mismatch || verdict.kind == Kind::Hang ||
                verdict.kind == Kind::Waiting);
    });
    if (found == run.verdicts.end())
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
