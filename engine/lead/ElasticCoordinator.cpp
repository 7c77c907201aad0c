#include "engine/lead/ElasticCoordinator.h"

#include "engine/agent/Codes.h"
#include "engine/lead/Codes.h"

namespace ringmaster {

ElasticCoordinator::ElasticCoordinator(Limits limits, Host& host)
    : m_limits(std::move(limits))
    , m_host(host)
    , m_round(m_members, host)
    , m_formation({.nodes = m_limits.nodes,
                   .first = m_limits.lastCall,
                   .later = m_limits.laterCall,
                   .join = m_limits.joinTimeout},
                  m_limits.runId, m_members, m_round, host)
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
    if (!m_round.stands() && !m_members.isAnybodyAtWork())
        m_formation.waits(nowNs);
}

void ElasticCoordinator::offered(const std::string& agent, const RendezvousReport& offer,
                                 std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    // Its offer may have been on the way when it was stopped.
    if (member == nullptr || member->isOver())
        return;
    const State before = member->state();
    member->couldBegin = true;
    // It was made to a former lead, which may have begun another round with it since.
    if (!isEnding() && m_round.isForeign(offer.round) &&
        (before == State::InRound || before == State::Finished)) {
        before == State::InRound ? workersFailed(*member, nowNs) : recalled(*member);
        return consider(nowNs);
    }
    if (m_round.isOfAnotherLead(*member, offer))
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

/// It had finished, and a former lead has had it run again.
void ElasticCoordinator::recalled(JobMember& member)
{
    const Message why{code::LeadTookOver, {}, {}};
    if (m_round.stands())
        breakRound(why);
    m_round.askToLeave(member, why);
}

void ElasticCoordinator::workersFailed(const JobMember& member, std::int64_t nowNs)
{
    if (const auto cut = m_round.failed(member, nowNs))
        return breakRound(*cut);
    m_settlement.failed();
    breakRound({code::HostWorkersFailed, {{"host", member.name()}}, {}});
}

/// Nobody joins a round that has begun to finish.
void ElasticCoordinator::welcome(const JobMember& newcomer, Code why)
{
    if (!m_round.stands())
        return;
    const bool isFull = static_cast<int>(m_round.size()) >= m_limits.nodes.max;
    if (isFull || m_round.hasAnyFinished())
        m_formation.tellSpares();
    else
        breakRound({why, {{"host", newcomer.name()}}, {}});
}

void ElasticCoordinator::breakRound(const Message& why)
{
    m_settlement.brokenUp(why);
    enter(RunState::Restarting, why);
    m_round.breakUp(why);
}

void ElasticCoordinator::finished(const std::string& agent, std::uint64_t round, std::int64_t nowNs)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || isEnding() || !member->isOf(round) ||
        !JobMember::mayFollow(member->state(), State::Finished))
        return;
    member->enter(State::Finished);
    m_round.finished(agent, round);
    consider(nowNs);
}

void ElasticCoordinator::running(const std::string& agent)
{
    if (JobMember* member = m_members.find(agent); member && member->is(State::InRound))
        member->isRunning = true;
    if (m_members.areAllRunning() && m_round.stands() && !isEnding())
        enter(RunState::Running);
}

void ElasticCoordinator::departed(const std::string& agent, const Message& why)
{
    m_lastLoss = why;
    if (m_round.isAtWork(agent) && m_round.stands() && !isEnding())
        breakRound(why);
}

void ElasticCoordinator::lost(const std::string& agent, const Message& why, std::int64_t nowNs,
                              Duration silentFor)
{
    JobMember* member = m_members.find(agent);
    if (member == nullptr || member->isOver())
        return;
    member->cut(why, nowNs - silentFor.count());
    m_lastLoss = why;
    if (m_round.wasCutBeforeFailure(*member)) // known only now
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
    const bool wasCut = member->reached();
    if (wasCut)
        m_round.cameBack(agent, why, nowNs);
    if (isEnding()) // also one that has only just come
        m_closing.tell(*member);
    else if (!wasCut)
        return;
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
        m_formation.delayed(nowNs);
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
    const bool couldBegin = !member->is(State::Expected) || member->couldBegin;
    if (!couldBegin && state == RunState::Failed && !isAsked && !isEnding())
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
    m_round.clear();
    m_lastLoss = why;
    m_formation.stopWaiting();
    const auto cost = m_settlement.displaced(attempt(), why, charge == Charge::Free, nowNs);
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
    m_round.clear();
    if (!isEnding())
        close(RunState::Failed, why);
    else
        m_closing.finishIfNobodyIsLeft();
}

void ElasticCoordinator::handOver(const Message& why)
{
    m_members.clear();
    m_round.clear();
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
    if (isEnding() || !m_round.stands())
        return;
    breakRound(why);
    m_round.recallFinished(why);
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
    m_failures.resume(standing.hostFailures);
    m_lastLoss = standing.why;
    m_round.resume(standing);
    m_formation.resume(standing, nowNs);
    m_settlement.resume(standing.restartsUsed, standing.isCharged,
                        standing.stands ? std::nullopt : std::optional(standing.why));
    for (const JobStanding::Member& known : standing.members) {
        JobMember member = standing.memberOf(known);
        member.isLeftOut = m_failures.isLeftOut(known.name);
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
    if (m_round.stands() || m_members.isAnybodyAtWork())
        return;
    if (settleLastRound(nowNs))
        considerNextRound(nowNs);
}

void ElasticCoordinator::leaveOutTheLost(std::int64_t nowNs)
{
    if (!m_round.stands())
        return;
    if (const auto why =
            m_round.leftOut({.some = m_limits.reconnect, .all = m_limits.joinTimeout}, nowNs))
        breakRound(*why);
}

/// False: what the last round's end costs isn't known yet, or it was the end.
bool ElasticCoordinator::settleLastRound(std::int64_t nowNs)
{
    using Kind = RoundSettlement::Outcome::Kind;

    const auto cost = m_settlement.settle(attempt(), nowNs);
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
    if (m_formation.beginsNow(m_settlement.restartsUsed(), nowNs))
        m_settlement.roundBegan();
    else if (const auto why = m_formation.whyNever(m_lastLoss, nowNs))
        close(RunState::Failed, *why);
}

bool ElasticCoordinator::isSpare(const std::string& agent) const
{
    const JobMember* member = m_members.find(agent);
    return member != nullptr && member->isSpare;
}

} // namespace ringmaster
