#include "engine/lead/RendezvousClosing.h"

#include <utility>

namespace ringmaster {

void RendezvousClosing::decide(const JobOutcome& outcome)
{
    if (!m_outcome)
        m_outcome = outcome;
}

void RendezvousClosing::tell(const JobMember& member) const
{
    m_host.closeRendezvous(member.agent(), {.hasSucceeded = m_outcome->state == RunState::Succeeded,
                                            .why = m_outcome->reason});
}

void RendezvousClosing::tellReachable() const
{
    for (const JobMember& member : m_members)
        if (member.isReachable())
            tell(member);
}

void RendezvousClosing::finishIfNobodyIsLeft()
{
    if (m_members.isAnybodyToBeWaitedFor() || std::exchange(m_isOver, true))
        return;
    m_host.over(m_outcome->state, m_outcome->reason);
}

} // namespace ringmaster
