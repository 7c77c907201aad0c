#pragma once

#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/AgentPhase.h"
#include "engine/agent/EventSink.h"
#include "engine/agent/GroupFailures.h"
#include "engine/agent/PendingTransition.h"
#include "engine/agent/StopRequests.h"
#include "engine/agent/WorkerSupervisor.h"
#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"
#include "engine/job/JobSpec.h"
#include "engine/rendezvous/Rendezvous.h"

#include <functional>
#include <memory>
#include <string_view>

namespace ringmaster {

/// Runs one node's part of a job: a state machine on the loop's thread. Whatever happens is either
/// a step forward (a phase's function) or makes a `PendingTransition`: the worker group is stopped,
/// then that is carried out. The workers are its WorkerSupervisor's, and what their failure leads
/// to its GroupFailures'; it makes the facts (EventSink). It knows nothing of files of record,
/// sockets or other agents but through its rendezvous.
class Agent final : Rendezvous::Host, WorkerSupervisor::Host
{
public:
    /// Who owns the agent. Called on the loop.
    class Host
    {
    public:
        virtual ~Host() = default;
        /// Text for the agent's standard error, complete lines, as torchrun would print it.
        virtual void printed(std::string_view text) = 0;
        /// Last call: nothing of the run is left on this node. `exitCode` is that of torchrun.
        virtual void finished(RunState state, int exitCode) = 0;
    };

    using Ending = WorkerSupervisor::Ending;

    /// What the agent works with. The factories are called once, with whom to tell; what they make
    /// lives as long as the agent. A rendezvous that can't be made ends the run as a failed one.
    struct Parts
    {
        EventLoop& loop;
        const Clock& clock;
        EventSink& events;
        Host& host;
        std::function<Result<std::unique_ptr<Rendezvous>>(Rendezvous::Host&)> rendezvous;
        std::function<std::unique_ptr<WorkerProcesses>(WorkerProcesses::Host&)> processes;
        /// What has to be there before this node can take part: called once; the answer comes on
        /// the loop, or never where the agent ends before. Empty: nothing.
        std::function<void(std::function<void(const Result<void>&)>)> prepare{};
        /// Looks at workers that are about to be ended, and why; then they are. `done` comes on the
        /// loop, also inside the call, and within lookPatience. Empty: nobody looks.
        std::function<void(const Message& why, Ending ending, std::function<void()> done)>
            examine{};
    };

    Agent(JobSpec spec, AgentOptions options, Parts parts);
    ~Agent() override;
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    /// Joins the rendezvous and goes on from there. RunStarted is the owner's event, sent before.
    void start();

    /// A user's command; refused when the run can't do it any more.
    Result<void> handle(const Command& command);

    /// A signal that the agent was sent: forwarded to the workers, then the grace; a second one
    /// kills at once. False for one that says nothing new: an echo of the last, or the run is
    /// ending.
    bool signalled(int signal);

    /// The lead is gone, a disk is full …: stops the group for a reason of the owner's.
    void abort(const Error& why);

    /// A GPU has reported an error while these processes computed on it: what explains the end of
    /// those workers that end soon after.
    void deviceFailed(const Message& what, const std::vector<pid_t>& pids);

    /// CPU and memory of the workers are sampled only while somebody looks.
    void setWatched(bool watched);

    RunState state() const { return m_emitter.state(); } ///< As people speak of it.
    WorkerState group() const { return m_groupState; }   ///< As torchelastic names it.

private:
    void enter(AgentPhase next);

    // The phases, in the order of a run.
    void prepare();
    void join();
    void openAttempt();
    void stopGroup(const PendingTransition& transition, int signal);
    void signalStop(int signal);
    void restart(const RestartRequest& restart);
    void enterBarrier();
    void leave(const StopRequest& end);
    void finish(const StopRequest& end);
    void end(const StopRequest& end, int signal);
    void endAttempt(const StopRequest& end, int signal);
    void killNow();

    // What others say.
    void rendezvousJoined(const Round& round) override;
    void rendezvousFailed(const Error& error) override;
    void rendezvousMembershipChanged(const Message& what) override;
    void rendezvousRecalled(const Message& why) override;
    void rendezvousClosed(const Message& why) override;
    void attemptReady() override;
    void openFailed(const Error& error) override;
    void startFailed(const Error& error) override;
    void workerMissing(const Error& error) override;
    void groupRuns() override;
    void groupSucceeded() override;
    void groupFailed() override;
    void groupEnded() override;
    void workersSurvived(const std::vector<Message>& survivors) override;
    Result<void> stopByUser(const StopRun& transition);
    Result<void> restartByUser();

    bool isStopPending() const;
    bool hasEverStarted() const { return m_attempts > 0; }
    bool isEnding() const;

    const JobSpec m_spec;
    const AgentOptions m_options;
    EventLoop& m_loop;
    const Clock& m_clock;
    Host& m_host;
    AgentEventEmitter m_emitter;
    GroupFailures m_failures;
    Result<std::unique_ptr<Rendezvous>> m_rendezvous;
    WorkerSupervisor m_workers;
    std::function<void(std::function<void(const Result<void>&)>)> m_prepare;

    AgentPhase m_phase = AgentPhase::New;
    WorkerState m_groupState = WorkerState::Init;
    Round m_round{};
    PendingTransition m_transition{PendingBarrier{}};
    int m_attempts = 0;
    StopRequests m_stopRequests;
    EventLoop::Registration m_delay;
};

} // namespace ringmaster
