#pragma once

#include "engine/event/Event.h"
#include "engine/event/Snapshot.h"
#include "engine/lead/JobStanding.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringmaster {

/// Where a job on several hosts stood when its lead was lost, as far as that had heard of it: what
/// another lead goes on from. Fed with the run's events in order. Pure.
class RunStanding
{
public:
    /// The latest agent of one host.
    struct Agent
    {
        std::string agent{};
        std::string host{};
        std::uint64_t lastSequence = 0; ///< Of its events.
        std::optional<RendezvousReport> offer{};
        std::optional<std::uint64_t> round{}; ///< That it was in last.
        int groupWorldSize = 0;               ///< Of that round.
        bool isRunning = false;
        bool hasFinished = false;        ///< Its workers of that round have succeeded.
        std::optional<RunState> ended{}; ///< It has said how it ended.
        std::optional<ClockMeasured> clock{};
    };

    /// Who gives the places may know more of an agent that ended so: then it is no more, and the
    /// job goes on.
    using MayExplain = std::function<bool(const Message& end)>;

    explicit RunStanding(MayExplain mayExplain = {}) : m_mayExplain(std::move(mayExplain)) {}

    void happened(const Event& event);

    const RunSnapshot& snapshot() const { return m_snapshot; }
    std::uint64_t leadSequence() const { return m_leadSequence; }
    const std::vector<Agent>& agents() const { return m_agents; }
    /// How many agents were started on each host, by its number: "1" of "1.3".
    const std::map<std::string, int>& starts() const { return m_starts; }
    /// Workers that ran, by their ranks: a run that counts as lost shows none.
    const std::map<int, WorkerStateChanged>& running() const { return m_running; }

    /// For the coordinator: the round goes on if all of its agents were heard to be in it.
    JobStanding coordinator() const;
    /// What the next lead says of the run first: as it was before it counted as lost, where it goes
    /// on.
    RunStateChanged resumed() const;

private:
    Agent* find(const std::string& agent);
    std::optional<JobOutcome> outcome() const;
    void changed(const HostChanged& change);
    void restarted(const GroupRestarting& restart);
    void noticed(const Message& message);
    void agentSaid(Agent& agent, const Event& event);
    void ended(Agent& agent, const RunStateChanged& how);

    MayExplain m_mayExplain;
    RunSnapshot m_snapshot;
    RunState m_state = RunState::Starting; ///< Before the run counted as lost.
    Message m_reason{};
    std::uint64_t m_leadSequence = 0;
    std::vector<Agent> m_agents;
    std::optional<JobOutcome> m_firstEnd;      ///< Of an agent, which is the job's.
    std::map<std::string, int> m_hostFailures; ///< As HostFailures had counted.
    std::set<std::string> m_leftOut;           ///< Hosts, by the same.
    std::uint64_t m_latestRound = 0;           ///< Of all agents, also of those that are gone.
    int m_latestRestart = -1;                  ///< The attempt that ended …
    int m_latestCharge = -1;                   ///< … and cost one.
    std::map<std::string, int> m_starts;
    std::map<int, WorkerStateChanged> m_running;
};

} // namespace ringmaster
