#include "engine/lead/JobMembers.h"

#include <algorithm>

namespace ringmaster {

void JobMembers::expect(const std::string& agent, const std::string& name)
{
    const auto before = std::ranges::find(m_members, name, &JobMember::name);
    if (before != m_members.end())
        *before = JobMember(agent, name);
    else
        m_members.emplace_back(agent, name);
}

JobMember* JobMembers::find(const std::string& agent)
{
    const auto found = std::ranges::find(m_members, agent, &JobMember::agent);
    return found != m_members.end() ? &*found : nullptr;
}

const JobMember* JobMembers::find(const std::string& agent) const
{
    const auto found = std::ranges::find(m_members, agent, &JobMember::agent);
    return found != m_members.end() ? &*found : nullptr;
}

JobMember* JobMembers::named(const std::string& name)
{
    const auto found = std::ranges::find(m_members, name, &JobMember::name);
    return found != m_members.end() ? &*found : nullptr;
}

std::vector<JobMember*> JobMembers::reachable(State state)
{
    std::vector<JobMember*> members;
    for (JobMember& member : m_members)
        if (member.is(state) && member.isReachable() && !member.isLeftOut)
            members.push_back(&member);
    return members;
}

size_t JobMembers::count(State state) const
{
    return static_cast<size_t>(std::ranges::count_if(m_members, [state](const JobMember& member) {
        return member.is(state) && !member.isLeftOut;
    }));
}

size_t JobMembers::countPossible() const
{
    return static_cast<size_t>(std::ranges::count_if(
        m_members, [](const JobMember& member) { return !member.isOver() && !member.isLeftOut; }));
}

bool JobMembers::isAnybodyAtWork() const
{
    return std::ranges::any_of(m_members, [](const JobMember& member) {
        return member.isReachable() && (member.is(State::InRound) || member.is(State::Leaving));
    });
}

bool JobMembers::areAllRunning() const
{
    return std::ranges::all_of(m_members, [](const JobMember& member) {
        return !member.is(State::InRound) || member.isRunning;
    });
}

bool JobMembers::isAnybodyToBeWaitedFor() const
{
    return std::ranges::any_of(m_members, [](const JobMember& member) {
        return member.isReachable() && !member.is(State::Expected);
    });
}

} // namespace ringmaster
