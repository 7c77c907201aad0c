#include "engine/lead/RoundFormation.h"

#include "engine/lead/Codes.h"
#include "engine/lead/RoundPlan.h"
#include "engine/rendezvous/Codes.h"

#include <utility>

namespace ringmaster {

using State = JobMember::State;

RoundFormation::RoundFormation(const LastCall::Limits& limits, std::string runId,
                               JobMembers& members, OpenRound& round, Host& host)
    : m_runId(std::move(runId))
    , m_members(members)
    , m_round(round)
    , m_host(host)
    , m_lastCall(limits)
{
}

void RoundFormation::resume(const JobStanding& standing, std::int64_t nowNs)
{
    m_attempt = standing.attempt;
    m_nextRound = standing.lastPossibleRound() + 1;
    if (!standing.stands)
        waits(nowNs);
}

bool RoundFormation::beginsNow(int restartsUsed, std::int64_t nowNs)
{
    const std::vector<JobMember*> ready = m_members.reachable(State::Offering);
    const bool isAnyExpected = m_members.any(State::Expected);
    if (!m_lastCall.isOver(ready.size(), isAnyExpected, m_attempt < 0, nowNs))
        return false;
    begin(ready, restartsUsed);
    return true;
}

std::optional<Message> RoundFormation::whyNever(const Message& loss, std::int64_t nowNs)
{
    waits(nowNs);
    if (static_cast<int>(m_members.countPossible()) < m_lastCall.limits().nodes.min)
        return loss;
    const size_t ready = m_members.reachable(State::Offering).size();
    if (m_lastCall.isJoinOver(nowNs))
        return Message{
            code::RendezvousTimedOut,
            {{"seconds", std::to_string(m_lastCall.limits().join.count() / 1'000'000'000)},
             {"present", std::to_string(ready)},
             {"needed", std::to_string(m_lastCall.limits().nodes.min)}},
            {}};
    recallFinished(ready, nowNs);
    return std::nullopt;
}

/// Those that have succeeded in a round that others failed in run again where the others alone
/// would be too few.
void RoundFormation::recallFinished(size_t ready, std::int64_t nowNs)
{
    const size_t others =
        ready + (m_lastCall.mayOthersCome(nowNs) ? m_members.count(State::Expected) : 0);
    if (static_cast<int>(others) >= m_lastCall.limits().nodes.min)
        return;
    for (JobMember* member : m_members.reachable(State::Finished))
        m_round.askToLeave(*member, {code::HostNeededAgain, {{"host", member->name()}}, {}});
}

void RoundFormation::begin(std::vector<JobMember*> members, int restartsUsed)
{
    if (static_cast<int>(members.size()) > m_lastCall.limits().nodes.max)
        members.resize(static_cast<size_t>(m_lastCall.limits().nodes.max));
    m_lastCall.stop();
    ++m_attempt;
    std::vector<RendezvousReport> offers;
    for (const JobMember* member : members)
        offers.push_back(member->offer());
    const std::uint64_t number = m_nextRound++;
    m_round.begin(number, members);
    const std::vector<BeginRound> rounds = roundsFor(
        offers,
        {.round = number, .attempt = m_attempt, .restartCount = restartsUsed, .runId = m_runId});
    for (size_t i = 0; i < members.size(); ++i) {
        if (members[i]->isSpare)
            m_host.spare(members[i]->agent(), false);
        members[i]->begin(rounds[i]);
        m_host.beginRound(members[i]->agent(), rounds[i]);
    }
    tellSpares();
}

void RoundFormation::tellSpares()
{
    for (JobMember* member : m_members.reachable(State::Offering)) {
        if (!std::exchange(member->isSpare, true))
            m_host.spare(member->agent(), true);
    }
}

} // namespace ringmaster
