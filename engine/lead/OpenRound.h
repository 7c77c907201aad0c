#pragma once

#include "engine/lead/JobStanding.h"
#include "engine/lead/RoundCuts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The last round of a job that has begun, until it is known how it ended: who works in it, who has
/// finished, who is asked to leave it. Pure: what is to be done is told to the Host, inside the
/// call.
class OpenRound
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void leaveRound(const std::string& agent, const LeaveRound& leave) = 0;
    };

    /// The members outlive this.
    OpenRound(JobMembers& members, Host& host) : m_members(members), m_host(host) {}

    /// Before anything else: it was begun by a former lead. The members are added after this.
    void resume(const JobStanding& standing);
    void begin(std::uint64_t number, const std::vector<JobMember*>& members);
    /// It is over, and so are all its members.
    void clear();

    std::uint64_t number() const { return m_number; }
    /// Nobody was told to leave it, and nobody has failed in it.
    bool stands() const { return m_stands; }
    size_t size() const { return m_parts.size(); }
    bool hasAnyFinished() const;
    bool haveAllFinished() const;
    /// It takes part, and hasn't finished.
    bool isAtWork(const std::string& agent) const;

    void finished(const std::string& agent, std::uint64_t round);
    /// The workers of one that was in it have failed. The cut that is behind it, if there is one.
    std::optional<Message> failed(const JobMember& member, std::int64_t nowNs);
    /// One is cut off since then. True: it was before others failed.
    bool wasCutBeforeFailure(const JobMember& member) const;
    void cameBack(const std::string& agent, const std::optional<Message>& cut, std::int64_t nowNs);
    /// As RoundCuts; only while it stands.
    std::optional<Message> leftOut(const RoundCuts::Limits& limits, std::int64_t nowNs);

    /// Whoever works in it leaves.
    void breakUp(const Message& why);
    /// The same of those that have finished: they run again.
    void recallFinished(const Message& why);
    /// One that is cut off hears of it when it is back.
    void askToLeave(JobMember& member, const Message& why);

    /// A former lead may have begun it.
    bool isForeign(std::uint64_t round) const { return round <= m_lastForeign; }
    /// A lead that has taken over has asked for it, of which the agent tells this one with its next
    /// heartbeat: otherwise an offer is for the round after the last that this lead spoke of.
    bool isOfAnotherLead(const JobMember& member, const RendezvousReport& offer) const;

private:
    struct Part
    {
        std::string agent{};
        bool hasFinished = false;
    };

    const Part* find(const std::string& agent) const;

    JobMembers& m_members;
    Host& m_host;
    std::uint64_t m_number = 0;
    std::vector<Part> m_parts;
    bool m_stands = false;
    RoundCuts m_cuts;
    /// Nothing: there was no other lead.
    std::optional<std::uint64_t> m_lastForeign;
};

} // namespace ringmaster
