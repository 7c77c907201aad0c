#pragma once

#include "engine/lead/JobMember.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ringmaster {

/// The agents of a job as its coordinator knows them, in the order of their ranks.
class JobMembers
{
public:
    using State = JobMember::State;

    /// On its way. One that takes another's place has its place in the order, too.
    void expect(const std::string& agent, const std::string& name);
    void add(JobMember member) { m_members.push_back(std::move(member)); }
    void clear() { m_members.clear(); }

    JobMember* find(const std::string& agent);
    const JobMember* find(const std::string& agent) const;
    JobMember* named(const std::string& name);
    /// Both without those that are left out.
    std::vector<JobMember*> reachable(State state);
    size_t count(State state) const;
    /// Who may still take part in a round.
    size_t countPossible() const;
    bool any(State state) const { return count(state) > 0; }
    /// Who is cut off isn't waited for here.
    bool isAnybodyAtWork() const;
    /// Of those who are in the round.
    bool areAllRunning() const;
    /// One that is cut off ends by itself when its lead doesn't come back; one that hasn't come yet
    /// is told when it does.
    bool isAnybodyToBeWaitedFor() const;

    auto begin() { return m_members.begin(); }
    auto end() { return m_members.end(); }
    auto begin() const { return m_members.begin(); }
    auto end() const { return m_members.end(); }

private:
    std::vector<JobMember> m_members;
};

} // namespace ringmaster
