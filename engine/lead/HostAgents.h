#pragma once

#include "engine/control/RpcQueue.h"
#include "engine/hosts/NodeProvider.h"
#include "engine/lead/HostAgent.h"
#include "engine/lead/LeadOptions.h"
#include "engine/lead/RunStanding.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// The agents of a job on several hosts: one on each host that was given, and another one in the
/// place of one that is gone. On the lead's loop.
class HostAgents
{
public:
    struct Parts
    {
        EventLoop& loop;
        NodeProvider& places;
        LogGatherer::Sink& logs;
        OperationGatherer::Sink& operations;
        std::unique_ptr<HostAgent::Lead> lead;          ///< Hears what they report.
        std::function<bool()> mayStart;                 ///< The job goes on.
        std::function<void(const Message&)> cannotMake; ///< Why an agent can't be ordered.
    };

    /// `options` outlive it.
    HostAgents(Parts parts, const LeadOptions& options, std::string run, std::uint64_t generation);

    /// These are the hosts from now on.
    void give(std::vector<Host> hosts) { m_given = std::move(hosts); }
    /// How many were started on each host by a former lead, by its number.
    void resume(const std::map<std::string, int>& starts) { m_starts = starts; }
    /// What is there for this host no longer is.
    void take(const std::string& host, const Message& why);
    const std::vector<Host>& given() const { return m_given; }
    bool isGiven(const std::string& host) const;

    /// One that start() begins; `known`: it was started by a former lead. Null: it can't be.
    HostAgent* make(const Host& host, const RunStanding::Agent* known = nullptr);
    /// In a moment, in place of one that is gone, if the host is still given then.
    void startAgain(const std::string& host);
    /// The name of the one that startAgain() starts.
    std::string nextAfter(const std::string& agent) const;

    HostAgent* find(const std::string& agent) const;
    /// Empty: there is no such agent.
    std::string hostOf(const std::string& agent) const;
    /// To one that is no more, nothing.
    void send(const std::string& agent, const Command& command) const;
    /// To the one that has this worker.
    Result<void> sendToRank(int globalRank, const Command& command, const RunSnapshot& run) const;
    /// To the agent of its rank or host.
    Result<void> drill(const BeginDrill& drill, const RunSnapshot& run) const;
    /// Those that can't be told aren't waited for, or only as long as they end by themselves.
    void stop(bool isNow) const;
    /// The job ends: none is started or tried again.
    void stopTrying();
    /// Those that were replaced, too.
    const std::vector<std::unique_ptr<HostAgent>>& all() const { return m_agents; }
    bool areAllOver() const;
    /// The stacks of all ranks, from all agents that can be asked. `answer` may come at once.
    void takeStacks(const Moment& at, std::function<void(Result<KeptEvidence>)> answer) const;
    /// No host is given any more.
    void abandonAll(Code why);

private:
    Result<AgentLaunchRequest> orderFor(const Host& host) const;
    std::string nameFor(const Host& host);
    std::chrono::milliseconds longestLogin(std::chrono::milliseconds patience) const;

    Parts m_parts;
    const LeadOptions& m_options;
    std::string m_run;
    const std::uint64_t m_generation; ///< Of leads of one run; whoever comes later is the lead.
    std::vector<Host> m_given;
    RpcQueue m_queue;
    std::vector<std::unique_ptr<HostAgent>> m_agents;
    std::map<std::string, int> m_starts; ///< Of agents, by their host's number: "1".
    std::map<std::string, EventLoop::Registration> m_again; ///< By host.
};

} // namespace ringmaster
