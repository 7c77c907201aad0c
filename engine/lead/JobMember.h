#pragma once

#include "engine/event/HostEvents.h"
#include "engine/event/LeadCommands.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ringmaster {

/// One agent of a job as its coordinator knows it. What it does and whether it can be reached are
/// told apart: an agent behind a cut cable is still in its round.
class JobMember
{
public:
    enum class State {
        Expected, ///< On its way.
        Offering, ///< Ready for a round; a spare, if one runs without it.
        InRound,  ///< Told to begin the round of `begun()`.
        Leaving,  ///< Told to leave it; its next word is an offer, or that it has finished.
        Finished, ///< Its workers of that round have succeeded.
        Ended,    ///< It has said how it ended.
        Gone,     ///< It is no more.
    };

    JobMember(std::string agent, std::string name)
        : m_agent(std::move(agent)), m_name(std::move(name))
    {
    }

    /// Every other change is a mistake of the coordinator's: nobody takes part in a round without
    /// an offer, nobody leaves what it isn't in, and Ended and Gone are for ever.
    static bool mayFollow(State now, State next);

    const std::string& agent() const { return m_agent; }
    const std::string& name() const { return m_name; }
    State state() const { return m_state; }
    bool is(State state) const { return m_state == state; }
    bool isOver() const { return m_state == State::Ended || m_state == State::Gone; }
    bool isReachable() const { return !m_cut && !isOver(); }
    const std::optional<Message>& cutReason() const { return m_cut; }
    std::int64_t cutSinceNs() const { return m_cutSinceNs; }

    void enter(State next);

    /// False: it was made before the round that the agent was told to begin, or says nothing new.
    bool takeOffer(const RendezvousReport& offer);
    const RendezvousReport& offer() const { return m_offer; }

    void begin(const BeginRound& round);
    bool hasBegun() const { return m_begun.has_value(); }
    /// The last round that it was told to begin, or to leave; only then.
    const BeginRound& begun() const { return *m_begun; }
    bool isOf(std::uint64_t round) const { return m_begun && m_begun->round == round; }

    void leave(const LeaveRound& leave);
    /// Of an agent that another lead has started: whatever that has told it is over, and what it
    /// has offered before it hears so isn't meant.
    void expectAfter(const LeaveRound& leave);
    bool isExpectedAfter() const { return m_state == State::Expected && m_begun; }
    /// What it was told by that; only while Leaving, or expected after it.
    const LeaveRound& toldToLeave() const { return m_leave; }

    void cut(const Message& why, std::int64_t sinceNs);
    /// True: it couldn't be reached until now.
    bool reached();

    bool isRunning = false; ///< All its workers of the round.
    bool isSpare = false;
    bool isLeftOut = false; ///< It takes part in no round any more.
    /// It was ready once: for this lead, or for a former one that may have begun a round with it.
    bool couldBegin = false;

private:
    std::string m_agent;
    std::string m_name;
    State m_state = State::Expected;
    RendezvousReport m_offer{};
    std::optional<BeginRound> m_begun{};
    LeaveRound m_leave{};
    std::optional<Message> m_cut{};
    std::int64_t m_cutSinceNs = 0;
};

} // namespace ringmaster
