#pragma once

#include "engine/hosts/NodeProvider.h"
#include "engine/lead/ElasticCoordinator.h"
#include "engine/lead/HostAgents.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ringmaster {

/// The places of a run on several hosts: what whoever gives them says of them, told to the
/// coordinator and to the agents that are there, and which of them gets an agent. Lives on the
/// lead's loop.
class RunPlaces : private NodeProvider::Owner
{
public:
    struct Parts
    {
        NodeProvider& provider;
        HostAgents& agents;
        ElasticCoordinator& coordinator;
        const Clock& clock;
        std::function<void(const EventBody&)> emit;
    };

    /// `spec` outlives it.
    RunPlaces(Parts parts, const JobSpec& spec);

    /// As NodeProvider has them.
    void start(const std::filesystem::path& runFolder);
    /// `given`: once the agents know the hosts, instead of starting any.
    void resume(const std::filesystem::path& runFolder, std::function<void()> given);

    bool areGiven() const { return m_areGiven; }
    /// An agent has said how it ended: once it is known whether its place is why, the coordinator
    /// hears of it.
    void agentEnded(const std::string& agent, const RunStateChanged& state);
    /// It is no more: another one is started in its place, where the job goes on there.
    void agentGone(const HostAgent& agent, const Message& reason);

private:
    void placed(std::vector<Host> hosts) override;
    void placesTold(Notice::Severity severity, const Message& what) override;
    void hostTaken(const std::string& host, const Message& why) override;
    void withdrawn(const Message& why, NodeProvider::Cost cost) override;
    void placesLost(const Message& why) override;
    void placesStand() override;
    void placesUnknown() override;

    void startAgents();
    /// The run has another lead: nothing is told to places and agents any more.
    void handOver(const Message& reason);
    void abandonAll(Code why);
    void tellEnd(const std::string& agent, const RunStateChanged& state);
    std::int64_t now() const { return m_parts.clock.now().monotonicNs; }

    Parts m_parts;
    const JobSpec& m_spec;
    std::function<void()> m_resume; ///< Until the hosts of a former lead are given.
    bool m_areGiven = false;
    /// Ends of agents that whoever gave the places may know more about.
    std::vector<std::pair<std::string, RunStateChanged>> m_unexplained;
};

} // namespace ringmaster
