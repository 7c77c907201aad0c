#pragma once

#include "engine/base/LoopInbox.h"
#include "engine/control/ControlServer.h"
#include "engine/hosts/NodeProvider.h"
#include "engine/lead/ElasticCoordinator.h"
#include "engine/lead/GatheredLogs.h"
#include "engine/lead/GatheredOperations.h"
#include "engine/lead/HostAgents.h"
#include "engine/lead/JobEnding.h"
#include "engine/lead/JobFailures.h"
#include "engine/lead/LeadOptions.h"
#include "engine/lead/RunPlaces.h"
#include "engine/lead/Takeover.h"
#include "engine/node/DrillDriver.h"
#include "engine/node/EndLimit.h"
#include "engine/node/RunRecorder.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// The lead of a job on several hosts: starts an agent on each, brings them together round by
/// round, and keeps what all of them tell in one run. It has no workers of its own; where this
/// machine takes part, an agent here does. Lives on the thread that calls run().
class Lead : private ElasticCoordinator::Host, private ControlServer::Host
{
public:
    Lead(LeadOptions options, RunFront& front);
    ~Lead() override;

    /// As Node::run().
    Result<int> run();

private:
    Result<void> prepare();
    void discard();
    Result<void> openRun();
    Result<void> openNewRun(const AgentRecord& self);
    Result<void> openLostRun(AgentRecord& self);
    Result<void> plan();
    void openDrills();
    void takeOver();
    void failByRule(const Message& why);
    void announce();
    void watchSignals();
    void look();
    void awaitLogs(std::uint64_t written, int silences);
    void end();
    void report();
    void stop(const JobEnding::Stop& stop);
    void lookAtRules();
    void finishRecord();
    void emit(const EventBody& body) { m_record.emit(body); }

    // ElasticCoordinator::Host
    void beginRound(const std::string& agent, const BeginRound& round) override
    {
        m_agents->send(agent, round);
    }
    void leaveRound(const std::string& agent, const LeaveRound& leave) override
    {
        m_agents->send(agent, leave);
    }
    void spare(const std::string& agent, bool isSpare) override;
    void closeRendezvous(const std::string& agent, const CloseRendezvous& close) override
    {
        m_agents->send(agent, close);
    }
    void stateChanged(RunState state, const Message& reason) override;
    void restarting(const GroupRestarting& restart) override;
    bool askPlaces() override { return m_provider->look(); }
    std::optional<FirstCause> firstCause(int attempt) override;
    std::optional<Message> refusesRestart(int attempt) override;
    std::string guiltyHost(int attempt) override;
    void hostFailed(const Notice& what) override { emit(what); }
    void over(RunState state, const Message& reason) override;

    // ControlServer::Host
    Result<void> execute(const Command& command) override;
    void takeStacks(std::function<void(Result<KeptEvidence>)> answer) override;
    void watched(bool isWatched) override;

    LeadOptions m_options;
    RunFront& m_front;
    SystemClock m_clock;
    EventLoop m_loop;
    int m_exitCode = 1;
    std::optional<EndLimit> m_endLimit;    ///< Holds for what is destroyed, too.
    std::optional<RunStateChanged> m_over; ///< How it ended, once nobody is left.

    RunRecorder m_record;
    JobFailures m_failures;
    JobEnding m_ending;
    std::optional<Takeover> m_takeover; ///< Of a run, until its hosts are given.
    std::unique_ptr<NodeProvider> m_provider;
    std::string m_jobText;

    std::unique_ptr<GatheredLogs> m_logs;
    bool m_areLogsStuck = false; ///< Their disk doesn't answer.
    bool m_hasEnded = false;
    std::unique_ptr<GatheredOperations> m_operations;
    std::optional<ElasticCoordinator> m_coordinator;
    std::unique_ptr<HostAgents> m_agents;
    std::unique_ptr<RunPlaces> m_places;
    std::unique_ptr<DrillDriver> m_drills;

    EventLoop::Registration m_signals;
    EventLoop::Registration m_look;
};

} // namespace ringmaster
