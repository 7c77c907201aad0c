// When a round of a job's begins, and with whom.

#include "engine/lead/Codes.h"
#include "engine/lead/ElasticCoordinator.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"

#include <algorithm>

namespace ringmaster {

namespace {

NodeOffer offerOf(const RendezvousReport& step)
{
    NodeOffer offer;
    for (const RendezvousReport::RoleCount& role : step.roles)
        offer.roles.push_back({role.role, role.workers});
    return offer;
}

} // namespace

JobMember ElasticCoordinator::resumed(const Standing& standing, const Standing::Member& known,
                                      std::uint64_t latest) const
{
    JobMember member(known.agent, known.name);
    const LeaveRound leave{.round = latest, .recallsFinished = true, .why = standing.why};
    // What it has offered, it may have been told to begin since.
    if (known.state == State::Expected) {
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
    member.begin({.round = isLeaving ? latest : known.round.value_or(standing.round)});
    if (known.state == State::Finished)
        member.enter(State::Finished);
    if (isLeaving)
        member.leave(leave);
    member.isRunning = known.isRunning && known.state == State::InRound;
    return member;
}

void ElasticCoordinator::resume(const Standing& standing, std::int64_t nowNs)
{
    m_attempt = standing.attempt;
    m_used = standing.restartsUsed;
    // Agents may have been told to begin one that the former lead didn't hear of, for which they
    // had offered.
    constexpr std::uint64_t Most = 9; // that were begun and left after what it had kept last
    const std::uint64_t latest = std::max(standing.round, standing.latest) + Most;
    m_nextRound = latest + 1;
    m_round = {.number = standing.round, .stands = standing.stands};
    m_hasRun = true;
    if (!standing.stands) {
        m_why = standing.why;
        m_waitsSinceNs = nowNs;
    }
    for (const Standing::Member& known : standing.members) {
        JobMember member = resumed(standing, known, latest);
        const bool isPart = standing.stands && known.round == standing.round &&
                            (member.is(State::InRound) || known.hasFinished);
        if (isPart)
            m_round.parts.push_back({.agent = known.agent, .hasFinished = known.hasFinished});
        if (!member.isOver())
            member.cut(standing.why, nowNs);
        m_members.push_back(std::move(member));
    }
    m_state = standing.stands ? RunState::Running : RunState::Restarting;
    m_outcome = standing.outcome;
    if (m_outcome && m_outcome->state != RunState::Succeeded)
        m_state = RunState::Stopping;
}

bool ElasticCoordinator::isJoinOver(std::int64_t nowNs) const
{
    return m_waitsSinceNs != 0 && nowNs - m_waitsSinceNs > m_limits.joinTimeout.count();
}

bool ElasticCoordinator::isComplete(size_t ready, std::int64_t nowNs)
{
    if (static_cast<int>(ready) < m_limits.nodes.min) {
        m_callSinceNs = 0;
        return false;
    }
    if (m_callSinceNs == 0)
        m_callSinceNs = nowNs;
    const Duration call = m_attempt < 0 ? m_limits.lastCall : m_limits.laterCall;
    const bool isFull = static_cast<int>(ready) >= m_limits.nodes.max;
    // Who is there goes on rather than give up for want of others that aren't needed.
    const bool isLate = nowNs - m_callSinceNs >= call.count() || isJoinOver(nowNs);
    return isFull || !any(State::Expected) || isLate;
}

void ElasticCoordinator::consider(std::int64_t nowNs)
{
    if (m_outcome)
        return finishIfNobodyIsLeft();
    // Also of a round that was broken up: whoever was told to leave had succeeded by then.
    if (m_round.haveAllFinished())
        return close(RunState::Succeeded, {});
    leaveOutTheLost(nowNs);
    if (m_round.stands || isAnybodyAtWork())
        return;
    if (settleLastRound(nowNs))
        considerNextRound(nowNs);
}

/// A round waits for those that are cut off, longer where nobody in it waits for them. Where all
/// were, it was the lead that had no network: each may come back in its own time.
void ElasticCoordinator::leaveOutTheLost(std::int64_t nowNs)
{
    if (!m_round.stands)
        return;
    const bool isUnseen = reachable(State::InRound).empty();
    if (isUnseen)
        m_round.unseenUntilNs = nowNs;
    const Duration limit = isUnseen ? m_limits.joinTimeout : m_limits.reconnect;
    for (const JobMember& member : m_members) {
        if (!member.is(State::InRound) || member.isReachable())
            continue;
        const std::int64_t unseenUntil = m_round.unseenUntilNs.value_or(member.cutSinceNs());
        const std::int64_t since =
            isUnseen ? member.cutSinceNs() : std::max(member.cutSinceNs(), unseenUntil);
        if (nowNs - since < limit.count())
            continue;
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit).count();
        return breakRound({code::HostLeftOut,
                           {{"host", member.name()}, {"seconds", std::to_string(seconds)}},
                           {}});
    }
}

/// False: what the last round's end costs isn't known yet, or it was the end.
bool ElasticCoordinator::settleLastRound(std::int64_t nowNs)
{
    if (m_hasFailed) {
        if (waitsForPlaces())
            return false;
        m_hasFailed = false;
        m_question = Question::None;
        if (!chargeFailure(nowNs))
            return false;
    } else if (m_why.code != code::None && m_attempt >= 0) {
        m_host.restarting({.attempt = m_attempt,
                           .cause = m_why,
                           .budgetBefore = m_limits.maxRestarts - m_used,
                           .budgetAfter = m_limits.maxRestarts - m_used});
    }
    m_why = {};
    return true;
}

void ElasticCoordinator::considerNextRound(std::int64_t nowNs)
{
    const std::vector<JobMember*> ready = reachable(State::Offering);
    if (isComplete(ready.size(), nowNs))
        return begin(ready);
    if (m_waitsSinceNs == 0)
        m_waitsSinceNs = nowNs;
    const auto possible =
        std::ranges::count_if(m_members, [](const JobMember& m) { return !m.isOver(); });
    if (possible < m_limits.nodes.min)
        return close(RunState::Failed, m_lastLoss);
    if (isJoinOver(nowNs))
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
    const bool mayOthersCome = nowNs - m_waitsSinceNs < m_limits.laterCall.count();
    const size_t others = ready + (mayOthersCome ? count(State::Expected) : 0);
    if (static_cast<int>(others) >= m_limits.nodes.min)
        return;
    for (JobMember* member : reachable(State::Finished))
        askToLeave(*member, {code::HostNeededAgain, {{"host", member->name()}}, {}});
}

void ElasticCoordinator::begin(std::vector<JobMember*> members)
{
    if (static_cast<int>(members.size()) > m_limits.nodes.max)
        members.resize(static_cast<size_t>(m_limits.nodes.max));
    m_waitsSinceNs = m_callSinceNs = 0;
    m_hasRun = true;
    ++m_attempt;
    std::vector<NodeOffer> offers;
    for (const JobMember* member : members)
        offers.push_back(offerOf(member->offer()));
    const RendezvousReport& first = members.front()->offer();
    // An agent that another lead has told more may offer for a later one.
    for (const JobMember* member : members)
        m_nextRound = std::max(m_nextRound, member->offer().round);
    BeginRound round{.round = m_nextRound++,
                     .attempt = m_attempt,
                     .restartCount = m_used,
                     .groupWorldSize = static_cast<int>(members.size()),
                     .worldSize = worldSizeOf(offers),
                     .runId = m_limits.runId,
                     .masterAddress = first.address,
                     .masterPort = first.port};
    m_round = {.number = round.round, .stands = true};
    for (const JobMember* member : members)
        m_round.parts.push_back({.agent = member->agent()});
    for (JobMember* member : members) {
        round.places.clear();
        for (const Round::RolePlace& place : placesOf(offers, round.groupRank))
            round.places.push_back(
                {place.role, place.globalRankBase, place.roleRankBase, place.roleWorldSize});
        if (member->isSpare)
            m_host.spare(member->agent(), false);
        member->begin(round);
        m_host.beginRound(member->agent(), round);
        ++round.groupRank;
    }
    tellSpares();
}

bool ElasticCoordinator::isSpare(const std::string& agent) const
{
    const auto member = std::ranges::find(m_members, agent, &JobMember::agent);
    return member != m_members.end() && member->isSpare;
}

void ElasticCoordinator::tellSpares()
{
    for (JobMember* member : reachable(State::Offering)) {
        if (!std::exchange(member->isSpare, true))
            m_host.spare(member->agent(), true);
    }
}

} // namespace ringmaster
