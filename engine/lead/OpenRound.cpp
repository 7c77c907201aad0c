#include "engine/lead/OpenRound.h"

#include <algorithm>

namespace ringmaster {

using State = JobMember::State;

void OpenRound::resume(const JobStanding& standing)
{
    m_lastForeign = standing.lastPossibleRound();
    m_number = standing.round;
    m_stands = standing.stands;
    for (const JobStanding::Member& known : standing.members)
        if (standing.isPart(known))
            m_parts.push_back({.agent = known.agent, .hasFinished = known.hasFinished});
}

void OpenRound::begin(std::uint64_t number, const std::vector<JobMember*>& members)
{
    clear();
    m_number = number;
    m_stands = true;
    for (const JobMember* member : members)
        m_parts.push_back({.agent = member->agent()});
}

void OpenRound::clear()
{
    m_number = 0;
    m_stands = false;
    m_parts.clear();
    m_cuts = {};
}

const OpenRound::Part* OpenRound::find(const std::string& agent) const
{
    const auto found = std::ranges::find(m_parts, agent, &Part::agent);
    return found != m_parts.end() ? &*found : nullptr;
}

bool OpenRound::hasAnyFinished() const
{
    return std::ranges::any_of(m_parts, &Part::hasFinished);
}

bool OpenRound::haveAllFinished() const
{
    return !m_parts.empty() && std::ranges::all_of(m_parts, &Part::hasFinished);
}

bool OpenRound::isAtWork(const std::string& agent) const
{
    const Part* part = find(agent);
    return part != nullptr && !part->hasFinished;
}

void OpenRound::finished(const std::string& agent, std::uint64_t round)
{
    const auto part = std::ranges::find(m_parts, agent, &Part::agent);
    if (part != m_parts.end() && round == m_number)
        part->hasFinished = true;
}

std::optional<Message> OpenRound::failed(const JobMember& member, std::int64_t nowNs)
{
    if (m_stands)
        m_cuts.failed(nowNs);
    return m_cuts.behindFailure(member, m_members, nowNs);
}

bool OpenRound::wasCutBeforeFailure(const JobMember& member) const
{
    return find(member.agent()) != nullptr && !m_stands && member.is(State::Leaving) &&
           m_cuts.wasBehindFailure(member.cutSinceNs());
}

void OpenRound::cameBack(const std::string& agent, const std::optional<Message>& cut,
                         std::int64_t nowNs)
{
    if (find(agent) != nullptr)
        m_cuts.cameBack(cut, nowNs);
}

std::optional<Message> OpenRound::leftOut(const RoundCuts::Limits& limits, std::int64_t nowNs)
{
    return m_cuts.leftOut(m_members, limits, nowNs);
}

void OpenRound::breakUp(const Message& why)
{
    m_stands = false;
    for (JobMember& member : m_members)
        if (member.is(State::InRound))
            askToLeave(member, why);
}

void OpenRound::recallFinished(const Message& why)
{
    for (JobMember& member : m_members)
        if (member.is(State::Finished) && member.isOf(m_number))
            askToLeave(member, why);
}

void OpenRound::askToLeave(JobMember& member, const Message& why)
{
    // What a former lead has begun with it last, this one may not have heard of.
    const bool isOthers = isForeign(member.begun().round);
    member.leave({.round = isOthers ? *m_lastForeign : member.begun().round,
                  .recallsFinished = isOthers || member.is(State::Finished),
                  .why = why});
    if (member.isReachable())
        m_host.leaveRound(member.agent(), member.toldToLeave());
}

bool OpenRound::isOfAnotherLead(const JobMember& member, const RendezvousReport& offer) const
{
    const std::uint64_t next = member.hasBegun() ? member.begun().round + 1 : 0;
    return !isForeign(offer.round) && offer.round > next;
}

} // namespace ringmaster
