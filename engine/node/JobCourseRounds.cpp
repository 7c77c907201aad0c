// When a round of a job's begins, and with whom.

#include "engine/node/Codes.h"
#include "engine/node/JobCourse.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"

#include <algorithm>

namespace ringmaster {

namespace {

NodeOffer offerOf(const MeetingStep& step)
{
    NodeOffer offer;
    for (const MeetingStep::RoleCount& role : step.roles)
        offer.roles.push_back({role.role, role.workers});
    return offer;
}

} // namespace

bool JobCourse::isComplete(size_t ready, std::int64_t nowNs)
{
    if (static_cast<int>(ready) < m_limits.nodes.min) {
        m_callSinceNs = 0;
        return false;
    }
    if (m_callSinceNs == 0)
        m_callSinceNs = nowNs;
    const Duration call = m_attempt < 0 ? m_limits.lastCall : m_limits.laterCall;
    const bool isFull = static_cast<int>(ready) >= m_limits.nodes.max;
    const bool isLate = nowNs - m_callSinceNs >= call.count();
    return isFull || !any(State::Expected) || isLate;
}

void JobCourse::consider(std::int64_t nowNs)
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

/// A round waits for those that are cut off, longer where nobody in it waits for them.
void JobCourse::leaveOutTheLost(std::int64_t nowNs)
{
    if (!m_round.stands)
        return;
    const Duration limit =
        reachable(State::InRound).empty() ? m_limits.joinTimeout : m_limits.reconnect;
    for (const JobMember& member : m_members)
        if (member.is(State::InRound) && !member.isReachable() &&
            nowNs - member.cutSinceNs() >= limit.count())
            return breakRound(*member.cutReason());
}

/// False: what the last round's end costs isn't known yet, or it was the end.
bool JobCourse::settleLastRound(std::int64_t nowNs)
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

void JobCourse::considerNextRound(std::int64_t nowNs)
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
    if (nowNs - m_waitsSinceNs > m_limits.joinTimeout.count())
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
void JobCourse::recallFinished(size_t ready, std::int64_t nowNs)
{
    const bool mayOthersCome = nowNs - m_waitsSinceNs < m_limits.laterCall.count();
    const size_t others = ready + (mayOthersCome ? count(State::Expected) : 0);
    if (static_cast<int>(others) >= m_limits.nodes.min)
        return;
    for (JobMember* member : reachable(State::Finished))
        askToLeave(*member, {code::HostNeededAgain, {{"host", member->name()}}, {}});
}

void JobCourse::begin(std::vector<JobMember*> members)
{
    if (static_cast<int>(members.size()) > m_limits.nodes.max)
        members.resize(static_cast<size_t>(m_limits.nodes.max));
    m_waitsSinceNs = m_callSinceNs = 0;
    m_hasRun = true;
    ++m_attempt;
    std::vector<NodeOffer> offers;
    for (const JobMember* member : members)
        offers.push_back(offerOf(member->offer()));
    const MeetingStep& first = members.front()->offer();
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

bool JobCourse::isSpare(const std::string& agent) const
{
    const auto member = std::ranges::find(m_members, agent, &JobMember::agent);
    return member != m_members.end() && member->isSpare;
}

void JobCourse::tellSpares()
{
    for (JobMember* member : reachable(State::Offering)) {
        if (!std::exchange(member->isSpare, true))
            m_host.spare(member->agent(), true);
    }
}

} // namespace ringmaster
