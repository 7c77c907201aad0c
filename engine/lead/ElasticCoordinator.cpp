#include "engine/lead/ElasticCoordinator.h"

#include "engine/agent/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/lead/RoundPlan.h"
#include "engine/rendezvous/Codes.h"

#include <algorithm>

namespace ringmaster {

ElasticCoordinator::ElasticCoordinator(Limits limits, Host& host)
    : m_limits(std::move(limits))
    , m_host(host)
    , m_lastCall({.nodes = m_limits.nodes,
                  .first = m_limits.lastCall,
                  .later = m_limits.laterCall,
                  .join = m_limits.joinTimeout})
    , m_failures(m_limits.leaveHostOutAfter)
    , m_settlement({.maxRestarts = m_limits.maxRestarts, .minNodes = m_limits.nodes.min},
                   m_failures, m_members, host)
    , m_closing(m_members, host)
{
}

void ElasticCoordinator::enter(RunState state, const Message& reason)
{
    if (m_state == state)
        return;
    m_state = state;
    m_host.stateChanged(state, reason);
}

void ElasticCoordinator::expected(const std::string& agent, const std::string& name,
                                  std::int64_t nowNs)
{
    m_members.expect(agent, name);
    m_members.find(agent)->isLeftOut = m_failures.isLeftOut(name);
    if (!m_round.stands && !m_members.isAnybodyAtWork())
        m_lastCall.waits(nowNs);
}

void ElasticCoordinator::offered(const std::string& agent, const RendezvousReport& offer,
                                 std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    // Its offer may have been on the way when it was stopped.
    if (member == nullptr || member->isOver())
        return;
    const State before = member->state();
    // It was made to a former lead, which may have begun another round with it since.
    if (!isEnding() && isForeign(offer.round) &&
        (before == State::InRound || before == State::Finished)) {
        before == State::InRound ? workersFailed(*member, nowNs) : recalled(*member);
        return consider(nowNs);
    }
    if (before == State::InRound && isOfAnotherLead(*member, offer))
        return;
    const bool isNew = member->takeOffer(offer);
    if (isEnding())
        return m_closing.tell(*member);
    if (member->isLeftOut)
        turnAway(*member);
    if (!isNew)
        return;
    // Nobody had told it to leave.
    if (before == State::InRound)
        workersFailed(*member, nowNs);
    else if (!member->isLeftOut)
        welcome(*member, code::HostJoins);
    consider(nowNs);
}

/// Whose workers fail offers for the next round. For a later one only a lead makes it that has
/// taken over, of which the agent tells this one with its next heartbeat.
bool ElasticCoordinator::isOfAnotherLead(const JobMember& member,
                                         const RendezvousReport& offer) const
{
    return !isForeign(offer.round) && offer.round > member.begun().round + 1;
}

/// It had finished, and a former lead has had it run again.
void ElasticCoordinator::recalled(JobMember& member)
{
    const Message why{code::LeadTookOver, {}, {}};
    if (m_round.stands)
        breakRound(why);
    askToLeave(member, why);
}

void ElasticCoordinator::workersFailed(const JobMember& member, std::int64_t nowNs)
{
    if (m_round.stands)
        m_round.cuts.failed(nowNs);
    if (const auto cut = m_round.cuts.behindFailure(member, m_members, nowNs))
        return breakRound(*cut);
    m_settlement.failed();
    breakRound({code::HostWorkersFailed, {{"host", member.name()}}, {}});
}

/// Nobody joins a round that has begun to finish.
void ElasticCoordinator::welcome(const JobMember& newcomer, Code why)
{
    if (!m_round.stands)
        return;
    const bool isFull = static_cast<int>(m_round.parts.size()) >= m_limits.nodes.max;
    if (isFull || m_round.hasAnyFinished())
        tellSpares();
    else
        breakRound({why, {{"host", newcomer.name()}}, {}});
}

void ElasticCoordinator::breakRound(const Message& why)
{
    m_round.stands = false;
    m_settlement.brokenUp(why);
    enter(RunState::Restarting, why);
    for (JobMember& member : m_members)
        if (member.is(State::InRound))
            askToLeave(member, why);
}

/// One that is cut off hears of it when it is back.
void ElasticCoordinator::askToLeave(JobMember& member, const Message& why)
{
    // What a former lead has begun with it last, this one may not have heard of.
    const bool isOthers = isForeign(member.begun().round);
    member.leave({.round = isOthers ? *m_lastForeignRound : member.begun().round,
                  .recallsFinished = isOthers || member.is(State::Finished),
                  .why = why});
    if (member.isReachable())
        m_host.leaveRound(member.agent(), member.toldToLeave());
}

void ElasticCoordinator::finished(const std::string& agent, std::uint64_t round, std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || isEnding() || !member->isOf(round) ||
        !JobMember::mayFollow(member->state(), State::Finished))
        return;
    member->enter(State::Finished);
    if (OpenRound::Part* part = m_round.find(agent); part && round == m_round.number)
        part->hasFinished = true;
    consider(nowNs);
}

void ElasticCoordinator::running(const std::string& agent)
{
    if (JobMember* member = m_members.find(agent); member && member->is(State::InRound))
        member->isRunning = true;
    if (m_members.areAllRunning() && m_round.stands && !isEnding())
        enter(RunState::Running);
}

void ElasticCoordinator::departed(const std::string& agent, const Message& why)
{
    m_lastLoss = why;
    const OpenRound::Part* part = m_round.find(agent);
    if (part && !part->hasFinished && m_round.stands && !isEnding())
        breakRound(why);
}

void ElasticCoordinator::lost(const std::string& agent, const Message& why, std::int64_t nowNs,
                              Duration silentFor)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || member->isOver())
        return;
    const std::int64_t sinceNs = nowNs - silentFor.count();
    member->cut(why, sinceNs);
    m_lastLoss = why;
    // It was cut off before the others failed, and that is known only now.
    if (m_round.find(agent) && !m_round.stands && member->is(State::Leaving) &&
        m_round.cuts.wasBehindFailure(sinceNs))
        m_settlement.excuse(why);
    consider(nowNs);
}

/// What it was told last may not have arrived.
void ElasticCoordinator::back(const std::string& agent, std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || member->isOver())
        return;
    const std::optional<Message> why = member->cutReason();
    if (!member->reached())
        return;
    if (m_round.find(agent))
        m_round.cuts.cameBack(why, nowNs);
    if (isEnding())
        m_closing.tell(*member);
    else if (member->isLeftOut)
        turnAway(*member);
    else if (member->is(State::InRound))
        m_host.beginRound(agent, member->begun());
    else if (member->is(State::Leaving) || member->isExpectedAfter())
        m_host.leaveRound(agent, member->toldToLeave());
    else if (member->is(State::Offering))
        welcome(*member, code::HostReturns);
    consider(nowNs);
}

void ElasticCoordinator::gone(const std::string& agent, const Message& why, std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || member->isOver())
        return;
    member->enter(State::Gone);
    departed(agent, why);
    consider(nowNs);
}

void ElasticCoordinator::taken(const std::string& agent, const Message& why, std::int64_t nowNs)
{
    m_settlement.placeTaken(why);
    m_lastLoss = why; // also of one that had ended before
    gone(agent, why, nowNs);
}

void ElasticCoordinator::replaced(const std::string& agent, const std::string& by,
                                  const Message& why, std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr)
        return;
    const bool isLeftOut = member->isLeftOut;
    *member = JobMember(by, member->name());
    member->isLeftOut = isLeftOut;
    departed(agent, why);
    consider(nowNs);
}

void ElasticCoordinator::delayed(const std::string& agent, std::int64_t nowNs)
{
    const JobMember* member = m_members.find(agent);
    if (member != nullptr && member->is(State::Expected))
        m_lastCall.again(nowNs);
}

void ElasticCoordinator::ended(const std::string& agent, RunState state, const Message& reason,
                               std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || member->isOver())
        return;
    // Maybe by a former lead.
    if ((member->isLeftOut || reason.code == code::HostFailedTooOften) && !isEnding()) {
        m_failures.leaveOut(member->name());
        member->isLeftOut = true;
        member->enter(State::Ended);
        departed(agent, m_failures.why(member->name()));
        return consider(nowNs);
    }
    // One that couldn't even begin: the others do without it, if they are enough.
    const bool isAsked = JobOutcome::isAsked(reason);
    if (member->is(State::Expected) && state == RunState::Failed && !isAsked && !isEnding())
        return gone(
            agent,
            {code::HostCannotBegin, {{"host", member->name()}, {"reason", describe(reason)}}, {}},
            nowNs);
    member->enter(State::Ended);
    JobOutcome outcome = JobOutcome::saidBy({.state = state, .reason = reason});
    if (outcome.state != RunState::Succeeded && outcome.reason.code == code::None)
        outcome.reason = {code::HostEndedEarly, {{"host", member->name()}}, {}};
    if (!isEnding())
        close(outcome.state, outcome.reason);
    consider(nowNs);
}

void ElasticCoordinator::displaced(const Message& why, std::int64_t nowNs, Charge charge)
{
    m_members.clear();
    m_round = {};
    m_lastLoss = why;
    m_lastCall.stop(); // nobody can join before there are places again
    const auto cost = m_settlement.displaced(m_attempt, why, charge == Charge::Free, nowNs);
    if (isEnding())
        return m_closing.finishIfNobodyIsLeft();
    if (!cost)
        return;
    if (cost->kind == RoundSettlement::Outcome::Kind::Over)
        return close(RunState::Failed, why);
    enter(RunState::Restarting, why);
    if (cost->restart)
        m_host.restarting(*cost->restart);
}

void ElasticCoordinator::impossible(const Message& why)
{
    m_members.clear();
    m_round = {};
    if (!isEnding())
        close(RunState::Failed, why);
    else
        m_closing.finishIfNobodyIsLeft();
}

void ElasticCoordinator::handOver(const Message& why)
{
    m_members.clear();
    m_round = {};
    m_closing.handOver(why);
    enter(RunState::Stopping, why);
    m_closing.finishIfNobodyIsLeft();
}

void ElasticCoordinator::stopping(const Message& reason, RunState end)
{
    if (isEnding())
        return;
    m_closing.decide({end, reason});
    enter(RunState::Stopping, reason);
    m_closing.finishIfNobodyIsLeft();
}

void ElasticCoordinator::restart(const Message& why, std::int64_t nowNs)
{
    if (isEnding() || !m_round.stands)
        return;
    breakRound(why);
    for (JobMember& member : m_members)
        if (member.is(State::Finished) && member.isOf(m_round.number))
            askToLeave(member, why);
    consider(nowNs);
}

void ElasticCoordinator::look(std::int64_t nowNs)
{
    consider(nowNs);
}

void ElasticCoordinator::placesKnown(std::int64_t nowNs)
{
    if (m_settlement.placesKnown())
        consider(nowNs);
}

/// One that is cut off hears of it when it is back.
void ElasticCoordinator::turnAway(const JobMember& member)
{
    m_host.closeRendezvous(member.agent(),
                           {.hasSucceeded = false, .why = m_failures.why(member.name())});
}

void ElasticCoordinator::close(RunState state, const Message& reason)
{
    m_closing.decide({state, reason});
    if (state != RunState::Succeeded)
        enter(RunState::Stopping, reason);
    m_closing.tellReachable();
    m_closing.finishIfNobodyIsLeft();
}

void ElasticCoordinator::resume(const JobStanding& standing, std::int64_t nowNs)
{
    m_attempt = standing.attempt;
    m_failures.resume(standing.hostFailures);
    m_lastForeignRound = standing.lastPossibleRound();
    m_nextRound = *m_lastForeignRound + 1;
    m_lastLoss = standing.why;
    m_round = {.number = standing.round, .stands = standing.stands};
    m_settlement.resume(standing.restartsUsed, standing.isCharged,
                        standing.stands ? std::nullopt : std::optional(standing.why));
    if (!standing.stands)
        m_lastCall.waits(nowNs);
    for (const JobStanding::Member& known : standing.members) {
        JobMember member = standing.memberOf(known);
        member.isLeftOut = m_failures.isLeftOut(known.name);
        if (standing.isPart(known))
            m_round.parts.push_back({.agent = known.agent, .hasFinished = known.hasFinished});
        if (!member.isOver())
            member.cut(standing.why, nowNs);
        m_members.add(std::move(member));
    }
    m_state = standing.stands ? RunState::Running : RunState::Restarting;
    if (!standing.outcome)
        return;
    m_closing.decide(*standing.outcome);
    if (standing.outcome->state != RunState::Succeeded)
        m_state = RunState::Stopping;
}

void ElasticCoordinator::consider(std::int64_t nowNs)
{
    if (isEnding())
        return m_closing.finishIfNobodyIsLeft();
    // Also of a round that was broken up: whoever was told to leave had succeeded by then.
    if (m_round.haveAllFinished())
        return close(RunState::Succeeded, {});
    leaveOutTheLost(nowNs);
    if (m_round.stands || m_members.isAnybodyAtWork())
        return;
    if (settleLastRound(nowNs))
        considerNextRound(nowNs);
}

void ElasticCoordinator::leaveOutTheLost(std::int64_t nowNs)
{
    if (!m_round.stands)
        return;
    if (const auto why = m_round.cuts.leftOut(
            m_members, {.some = m_limits.reconnect, .all = m_limits.joinTimeout}, nowNs))
        breakRound(*why);
}

/// False: what the last round's end costs isn't known yet, or it was the end.
bool ElasticCoordinator::settleLastRound(std::int64_t nowNs)
{
    using Kind = RoundSettlement::Outcome::Kind;

    const auto cost = m_settlement.settle(m_attempt, nowNs);
    if (cost.kind == Kind::Over)
        close(RunState::Failed, cost.why);
    if (cost.kind != Kind::GoesOn)
        return false;
    if (cost.leftOut != nullptr && cost.leftOut->isReachable())
        turnAway(*cost.leftOut);
    if (cost.restart)
        m_host.restarting(*cost.restart);
    return true;
}

void ElasticCoordinator::considerNextRound(std::int64_t nowNs)
{
    const std::vector<JobMember*> ready = m_members.reachable(State::Offering);
    if (m_lastCall.isOver(ready.size(), m_members.any(State::Expected), m_attempt < 0, nowNs))
        return begin(ready);
    m_lastCall.waits(nowNs);
    if (static_cast<int>(m_members.countPossible()) < m_limits.nodes.min)
        return close(RunState::Failed, m_lastLoss);
    if (m_lastCall.isJoinOver(nowNs))
        return close(RunState::Failed,
                     {code::RendezvousTimedOut,
                      {{"seconds", std::to_string(m_limits.joinTimeout.count() / 1'000'000'000)},
                       {"present", std::to_string(ready.size())},
                       {"needed", std::to_string(m_limits.nodes.min)}},
                      {}});
    recallFinished(ready.size(), nowNs);
}

/// Those that have succeeded in a round that others failed in run again where the others alone
/// would be too few.
void ElasticCoordinator::recallFinished(size_t ready, std::int64_t nowNs)
{
    const size_t others =
        ready + (m_lastCall.mayOthersCome(nowNs) ? m_members.count(State::Expected) : 0);
    if (static_cast<int>(others) >= m_limits.nodes.min)
        return;
    for (JobMember* member : m_members.reachable(State::Finished))
        askToLeave(*member, {code::HostNeededAgain, {{"host", member->name()}}, {}});
}

void ElasticCoordinator::begin(std::vector<JobMember*> members)
{
    if (static_cast<int>(members.size()) > m_limits.nodes.max)
        members.resize(static_cast<size_t>(m_limits.nodes.max));
    m_lastCall.stop();
    m_settlement.roundBegan();
    ++m_attempt;
    std::vector<RendezvousReport> offers;
    m_round = {.number = m_nextRound, .stands = true};
    for (const JobMember* member : members) {
        offers.push_back(member->offer());
        m_round.parts.push_back({.agent = member->agent()});
        // An agent that another lead has told more may offer for a later one.
        m_round.number = std::max(m_round.number, member->offer().round);
    }
    m_nextRound = m_round.number + 1;
    const std::vector<BeginRound> rounds =
        roundsFor(offers, {.round = m_round.number,
                           .attempt = m_attempt,
                           .restartCount = m_settlement.restartsUsed(),
                           .runId = m_limits.runId});
    for (size_t i = 0; i < members.size(); ++i) {
        if (members[i]->isSpare)
            m_host.spare(members[i]->agent(), false);
        members[i]->begin(rounds[i]);
        m_host.beginRound(members[i]->agent(), rounds[i]);
    }
    tellSpares();
}

bool ElasticCoordinator::isSpare(const std::string& agent) const
{
    const JobMember* member = m_members.find(agent);
    return member != nullptr && member->isSpare;
}

void ElasticCoordinator::tellSpares()
{
    for (JobMember* member : m_members.reachable(State::Offering)) {
        if (!std::exchange(member->isSpare, true))
            m_host.spare(member->agent(), true);
    }
}

} // namespace ringmaster
