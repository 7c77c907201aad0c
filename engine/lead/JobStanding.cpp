#include "engine/lead/JobStanding.h"

#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
#include "engine/rendezvous/Codes.h"

#include <algorithm>

namespace ringmaster {

namespace {

using State = JobMember::State;

/// Rounds that were begun and left after what the former lead had kept last.
constexpr std::uint64_t MostUnkept = 9;

} // namespace

bool JobOutcome::isAsked(const Message& reason)
{
    return reason.code == code::UserStopped || reason.code == code::SignalReceived;
}

JobOutcome JobOutcome::saidBy(const RunStateChanged& agentsEnd)
{
    if (agentsEnd.reason.code == code::RendezvousNotNeeded)
        return {.state = RunState::Succeeded};
    return {.state = isAsked(agentsEnd.reason) ? RunState::Stopped : agentsEnd.state,
            .reason = agentsEnd.reason};
}

std::uint64_t JobStanding::lastPossibleRound() const
{
    return std::max(round, latest) + MostUnkept;
}

JobMember JobStanding::memberOf(const Member& known) const
{
    JobMember member(known.agent, known.name);
    const LeaveRound leave{.round = lastPossibleRound(), .recallsFinished = true, .why = why};
    // What it has offered, it may have been told to begin since.
    if (known.state == State::Expected) {
        member.couldBegin = known.offer.has_value();
        member.expectAfter(leave);
        return member;
    }
    if (known.state == State::Ended) {
        member.enter(State::Ended);
        return member;
    }
    member.takeOffer(known.offer.value_or(RendezvousReport{}));
    // What it has offered before it hears that it is to leave isn't meant.
    const bool isLeaving = known.state == State::Leaving;
    member.begin({.round = isLeaving ? lastPossibleRound() : known.round.value_or(round)});
    if (known.state == State::Finished)
        member.enter(State::Finished);
    if (isLeaving)
        member.leave(leave);
    member.isRunning = known.isRunning && known.state == State::InRound;
    return member;
}

bool JobStanding::isPart(const Member& known) const
{
    return stands && known.round == round && (known.state == State::InRound || known.hasFinished);
}

} // namespace ringmaster
