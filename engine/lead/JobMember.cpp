#include "engine/lead/JobMember.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ringmaster {

bool JobMember::mayFollow(State now, State next)
{
    const bool isEnd = next == State::Ended || next == State::Gone;
    switch (now) {
    case State::Expected: return next == State::Offering || isEnd;
    case State::Offering: return next == State::InRound || isEnd;
    case State::InRound:
        return next == State::Offering || next == State::Leaving || next == State::Finished ||
               isEnd;
    case State::Leaving: return next == State::Offering || next == State::Finished || isEnd;
    // It may have finished before it heard that it is to begin again.
    case State::Finished: return next == State::Leaving || next == State::Offering || isEnd;
    case State::Ended:
    case State::Gone: break;
    }
    return false;
}

void JobMember::enter(State next)
{
    assert(mayFollow(m_state, next));
    m_state = next;
    isRunning = false;
    if (next != State::Offering)
        isSpare = false;
}

bool JobMember::takeOffer(const RendezvousReport& offer)
{
    if (m_begun && offer.round <= m_begun->round)
        return false;
    m_offer = offer;
    if (m_state == State::Offering || !mayFollow(m_state, State::Offering))
        return false;
    enter(State::Offering);
    return true;
}

void JobMember::begin(const BeginRound& round)
{
    enter(State::InRound);
    m_begun = round;
}

void JobMember::leave(const LeaveRound& leave)
{
    enter(State::Leaving);
    m_begun->round = std::max(m_begun->round, leave.round);
    m_leave = leave;
}

void JobMember::expectAfter(const LeaveRound& leave)
{
    m_begun = BeginRound{.round = leave.round};
    m_leave = leave;
}

void JobMember::cut(const Message& why, std::int64_t sinceNs)
{
    m_cut = why;
    m_cutSinceNs = sinceNs;
    isSpare = false;
}

bool JobMember::reached()
{
    return std::exchange(m_cut, std::nullopt).has_value();
}

} // namespace ringmaster
