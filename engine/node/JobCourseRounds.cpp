// When a round of a job's begins, and with whom.

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
    return isFull || !any(Seat::Expected) || isLate;
}

void JobCourse::consider(std::int64_t nowNs)
{
    if (m_outcome)
        return finishIfNobodyIsLeft();
    if (isRoundOpen())
        return;
    if (m_hasFailed) {
        if (waitsForPlaces())
            return;
        m_hasFailed = false;
        m_question = Question::None;
        if (!chargeFailure(nowNs))
            return;
    } else if (m_why.code != code::None && m_attempt >= 0) {
        m_host.restarting({.attempt = m_attempt,
                           .cause = m_why,
                           .budgetBefore = m_limits.maxRestarts - m_used,
                           .budgetAfter = m_limits.maxRestarts - m_used});
    }
    m_why = {};
    const std::vector<Member*> ready = in(Seat::Offering);
    if (ready.empty() && any(Seat::Finished) && !any(Seat::Cut))
        return close(RunState::Succeeded, {});
    if (isComplete(ready.size(), nowNs))
        return begin(ready);
    if (m_waitsSinceNs == 0)
        m_waitsSinceNs = nowNs;
    const size_t possible = ready.size() + count(Seat::Expected) + count(Seat::Cut);
    if (static_cast<int>(possible) < m_limits.nodes.min)
        return close(RunState::Failed, m_lastLoss);
    if (nowNs - m_waitsSinceNs > m_limits.joinTimeout.count())
        close(RunState::Failed,
              {code::RendezvousTimedOut,
               {{"seconds", std::to_string(m_limits.joinTimeout.count() / 1'000'000'000)},
                {"present", std::to_string(ready.size())},
                {"needed", std::to_string(m_limits.nodes.min)}},
               {}});
}

void JobCourse::begin(std::vector<Member*> members)
{
    if (static_cast<int>(members.size()) > m_limits.nodes.max)
        members.resize(static_cast<size_t>(m_limits.nodes.max));
    m_waitsSinceNs = m_callSinceNs = 0;
    m_hasRun = true;
    ++m_attempt;
    std::vector<NodeOffer> offers;
    for (const Member* member : members)
        offers.push_back(offerOf(member->offer));
    const MeetingStep& first = members.front()->offer;
    BeginRound round{.round = m_round++,
                     .attempt = m_attempt,
                     .restartCount = m_used,
                     .groupWorldSize = static_cast<int>(members.size()),
                     .worldSize = worldSizeOf(offers),
                     .runId = m_limits.runId,
                     .masterAddress = first.address,
                     .masterPort = first.port};
    for (Member* member : members) {
        round.places.clear();
        for (const Round::RolePlace& place : placesOf(offers, round.groupRank))
            round.places.push_back(
                {place.role, place.globalRankBase, place.roleRankBase, place.roleWorldSize});
        member->seat = Seat::InRound;
        if (std::exchange(member->isSpare, false))
            m_host.spare(member->agent, false);
        m_host.beginRound(member->agent, round);
        ++round.groupRank;
    }
    tellSpares();
}

bool JobCourse::isSpare(const std::string& agent) const
{
    const auto member = std::ranges::find(m_members, agent, &Member::agent);
    return member != m_members.end() && member->isSpare;
}

void JobCourse::tellSpares()
{
    for (Member* member : in(Seat::Offering)) {
        if (!std::exchange(member->isSpare, true))
            m_host.spare(member->agent, true);
    }
}

} // namespace ringmaster
