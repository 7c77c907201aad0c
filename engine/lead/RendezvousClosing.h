#pragma once

#include "engine/event/LeadCommands.h"
#include "engine/lead/JobMembers.h"
#include "engine/lead/JobStanding.h"

#include <optional>

namespace ringmaster {

/// How a job on several hosts comes to its end: the outcome is decided once, everybody is told that
/// the rendezvous is closed, and when nobody is left to wait for, that is said once. Pure.
class RendezvousClosing
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        virtual void closeRendezvous(const std::string& agent, const CloseRendezvous& close) = 0;
        /// Nobody is left: the last call.
        virtual void over(RunState state, const Message& reason) = 0;
    };

    /// The members outlive this.
    RendezvousClosing(const JobMembers& members, Host& host) : m_members(members), m_host(host) {}

    bool isDecided() const { return m_outcome.has_value(); }
    /// What was decided before stays.
    void decide(const JobOutcome& outcome);
    /// Whatever was decided: it is another lead's job now, and how that ends isn't known here.
    void handOver(const Message& why) { m_outcome = {RunState::Failed, why}; }

    // Once it is decided:
    void tell(const JobMember& member) const;
    /// One that is cut off is told when it is back.
    void tellReachable() const;
    void finishIfNobodyIsLeft();

private:
    const JobMembers& m_members;
    Host& m_host;
    std::optional<JobOutcome> m_outcome;
    bool m_isOver = false;
};

} // namespace ringmaster
