#include "engine/lead/RoundCuts.h"

#include "engine/lead/Codes.h"

#include <algorithm>

namespace ringmaster {

void RoundCuts::cameBack(const std::optional<Message>& cut, std::int64_t nowNs)
{
    m_lastCut = cut;
    m_cameBackNs = nowNs;
}

std::optional<Message> RoundCuts::behindFailure(const JobMember& failed, const JobMembers& members,
                                                std::int64_t nowNs) const
{
    for (const JobMember& other : members)
        if (!other.isReachable() && (other.is(JobMember::State::InRound) || &other == &failed))
            return other.cutReason();
    const bool isRecent = nowNs - m_cameBackNs < SameCause.count();
    return isRecent ? m_lastCut : std::nullopt;
}

std::optional<Message> RoundCuts::leftOut(JobMembers& members, const Limits& limits,
                                          std::int64_t nowNs)
{
    const bool isUnseen = members.reachable(JobMember::State::InRound).empty();
    if (isUnseen)
        m_unseenUntilNs = nowNs;
    const Duration limit = isUnseen ? limits.all : limits.some;
    for (const JobMember& member : members) {
        if (!member.is(JobMember::State::InRound) || member.isReachable())
            continue;
        const std::int64_t unseenUntil = m_unseenUntilNs.value_or(member.cutSinceNs());
        const std::int64_t since =
            isUnseen ? member.cutSinceNs() : std::max(member.cutSinceNs(), unseenUntil);
        if (nowNs - since < limit.count())
            continue;
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
        return Message{
            code::HostLeftOut, {{"host", member.name()}, {"seconds", std::to_string(seconds)}}, {}};
    }
    return {};
}

} // namespace ringmaster
