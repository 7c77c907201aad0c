#pragma once

#include "engine/agent/Agent.h"
#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/LaunchPlan.h"
#include "engine/agent/PendingTransition.h"
#include "engine/agent/ProcessSampler.h"
#include "engine/agent/WatchdogTimer.h"
#include "engine/agent/WorkerGroup.h"

#include <optional>

namespace ringmaster {

/// The worker group's state machine. Whatever happens is either a step forward (a phase's function)
/// or makes a `PendingTransition`: the group is stopped, then that is carried out. What others say
/// comes in through AgentStateMachineEvents.cpp.
class Agent::StateMachine final : Rendezvous::Host, WorkerProcesses::Host, WatchdogTimer::Host
{
public:
    StateMachine(JobSpec spec, AgentOptions options, const Parts& parts);

    void start();
    Result<void> handle(const Command& command);
    bool signalled(int signal);
    void abort(const Error& why);
    void deviceFailed(const Message& what, const std::vector<pid_t>& pids);
    void setWatched(bool watched);

    RunState runState() const { return m_emitter.state(); }
    WorkerState groupState() const { return m_groupState; }

private:
    enum class Phase {
        New,
        Preparing, ///< What the workers need is being brought here.
        Joining,
        Opening,  ///< The output of an attempt is being made ready.
        Running,  ///< Workers are started, or run.
        Stopping, ///< They have been told to end; some are left.
        Closing,  ///< None is left: the rest is swept, the output read.
        Delaying, ///< Before a restart.
        InBarrier,
        Leaving, ///< It has said how the run ended, which is its last word.
        Ended
    };

    /// Every other change of phase is a mistake of this class's.
    static bool mayFollow(Phase now, Phase next);
    void enter(Phase next);

    // The phases, in the order of a run.
    void prepare();
    void join();
    void openAttempt();
    void startWorkers(const AttemptOutput& output);
    Result<void> start(LaunchPlan plan);
    void judge();
    void settle(bool isConclusive);
    void groupFailed();
    void stopGroup(const PendingTransition& transition, int signal);
    void examine(Ending ending, void (StateMachine::*then)());
    void signalStop();
    void signalGroup(int signal);
    void signalWorker(Worker& worker, int signal);
    void graceIsOver();
    void tellWhoStillRuns();
    void closeGroup();
    void killFailed(const std::vector<Message>& survivors);
    void proceed();
    void explainFailure();
    void restart(const RestartRequest& restart);
    void enterBarrier();
    void leave(const StopRequest& end);
    void finish(const StopRequest& end);
    void end(const StopRequest& end, int signal);
    void killNow();

    // AgentStateMachineEvents.cpp: what others say.
    void rendezvousJoined(const Round& round) override;
    void rendezvousFailed(const Error& error) override;
    void rendezvousMembershipChanged(const Message& what) override;
    void rendezvousRecalled(const Message& why) override;
    void rendezvousClosed(const Message& why) override;
    void attemptOpened(const Result<AttemptOutput>& output) override;
    void startExplained(const Message& how) override;
    void workerStarted(int localRank, pid_t pid, Moment at) override;
    void workerNotStarted(int localRank, const Error& error) override;
    void workerExited(int localRank, const WorkerExit& exit) override;
    void workerExplained(const WorkerExitReport& report,
                         OutOfMemoryWatch::Finding outOfMemory) override;
    void sessionEnded(int localRank) override;
    void keeperDied(const Error& error) override;
    void attemptClosed() override;
    bool timerExpired(int pid, const std::string& scope, int signal) override;
    void timerMessageRefused(const std::string& what) override;
    Result<void> stopByUser(const StopRun& transition);
    Result<void> restartByUser();
    Result<void> signalByUser(const SignalWorker& transition);

    bool hasEverStarted() const { return m_attempts > 0; }
    bool isEnding() const;
    RestartRequest uncharged(const Message& cause) const;
    void makeTimer();
    std::vector<ProcessSampler::Target> sampled() const;

    const JobSpec m_spec;
    const AgentOptions m_options;
    EventLoop& m_loop;
    const Clock& m_clock;
    Agent::Host& m_host;
    AgentEventEmitter m_emitter;
    RestartPolicy m_policy;
    ProcessSampler m_sampler;
    std::unique_ptr<WatchdogTimer> m_watchdog;
    Result<std::unique_ptr<Rendezvous>> m_rendezvous;
    std::unique_ptr<WorkerProcesses> m_processes;
    std::function<void(std::function<void(const Result<void>&)>)> m_prepare;
    std::function<void(const Message&, Ending, std::function<void()>)> m_examine;

    Phase m_phase = Phase::New;
    WorkerState m_groupState = WorkerState::Init;
    Round m_round{};
    WorkerGroup m_group{};
    Moment m_startedAt{}; ///< Of the attempt.
    std::optional<FirstCause> m_firstCause{};
    PendingTransition m_transition{PendingBarrier{}};
    int m_attempts = 0;
    int m_stopSignal = 0;
    int m_stopRequests = 0; ///< Signals and stop commands; the second one doesn't wait.
    int m_lastSignal = 0;
    std::int64_t m_lastSignalNs = 0;
    bool m_isOpening = false;   ///< Stopping, but the output isn't even ready.
    bool m_isExamining = false; ///< Stopping, but the workers are looked at first.
    int m_examinations = 0;
    bool m_isThreadsWarningSaid = false;
    Code m_coldCode = code::None;    ///< Why workers start cold, as it was said.
    EventLoop::Registration m_timer; ///< Of the phase: settling, looking, grace, killing or delay.
    EventLoop::Registration m_hint;  ///< While the group is stopped.
};

} // namespace ringmaster
