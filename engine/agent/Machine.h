#pragma once

#include "engine/agent/Agent.h"
#include "engine/agent/AgentConsole.h"
#include "engine/agent/EventLogHandler.h"
#include "engine/agent/ProcessSampler.h"
#include "engine/agent/RestartPolicy.h"
#include "engine/agent/WatchdogTimer.h"
#include "engine/agent/WorkerGroup.h"

#include <optional>
#include <variant>

namespace ringmaster {

/// The worker group's state machine. Whatever happens is either a step forward (a phase's function)
/// or makes a wish, `Next`: the group is stopped, then the wish is fulfilled. What others say comes
/// in through MachineEars.cpp.
class Agent::Machine final : Rendezvous::Host, WorkerProcesses::Host, WatchdogTimer::Host
{
public:
    Machine(JobSpec spec, AgentOptions options, Parts parts);

    void start();
    Result<void> handle(const Command& command);
    void signalled(int signal);
    void abort(const Error& why);
    void setWatched(bool watched);

    RunState runState() const { return m_runState; }
    WorkerState groupState() const { return m_groupState; }

private:
    enum class Phase {
        New,
        Joining,
        Opening,  ///< The output of an attempt is being made ready.
        Running,  ///< Workers are started, or run.
        Stopping, ///< They have been told to end; some are left.
        Closing,  ///< None is left: the rest is swept, the output read.
        Delaying, ///< Before a restart.
        InBarrier,
        Leaving,
        Ended
    };

    struct Restart
    {
        Message cause{};
        bool isCharged = false; ///< Then the first cause, once it is known, is the cause.
        RestartPolicy::Decision decision{};
    };
    struct Barrier
    {
    };
    struct End
    {
        RunState state = RunState::Failed;
        Message reason{};
        int exitCode = 1;
        bool closesRendezvous = true; ///< Not on a signal: the other nodes may go on.
        bool isGroupFailure = false;  ///< The report of the failed workers ends it.
        std::string lastWords{};
    };
    using Next = std::variant<Restart, Barrier, End>;

    // The phases, in the order of a run.
    void join();
    void openAttempt();
    void startWorkers(const AttemptOutput& output);
    void becomeHealthy();
    void judge();
    void settle(bool isConclusive);
    void groupFailed();
    void groupSucceeded();
    void stopGroup(const Next& next, int signal);
    void signalGroup(int signal);
    void signalWorker(Worker& worker, int signal);
    void graceIsOver();
    void closeGroup();
    void proceed();
    void explainFailure();
    void restart(const Restart& restart);
    void enterBarrier();
    void leave(const End& end);
    void finish(const End& end);
    void end(const End& end, int signal);
    void killNow();

    // MachineEars.cpp: what others say.
    void rendezvousJoined(const Round& round) override;
    void rendezvousFailed(const Error& error) override;
    void rendezvousMembershipChanged(const Message& what) override;
    void rendezvousClosed(const Message& why) override;
    void attemptOpened(const Result<AttemptOutput>& output) override;
    void workerStarted(int localRank, pid_t pid, Moment at) override;
    void workerNotStarted(int localRank, const Error& error) override;
    void workerExited(int localRank, const WorkerExit& exit) override;
    void workerExplained(const WorkerAftermath& aftermath,
                         OutOfMemoryWatch::Finding outOfMemory) override;
    void keeperDied(const Error& error) override;
    void attemptClosed() override;
    bool timerExpired(int pid, const std::string& scope, int signal) override;
    void timerMessageRefused(const std::string& what) override;
    Result<void> stopByUser(const StopRun& wish);
    Result<void> restartByUser();
    Result<void> signalByUser(const SignalWorker& wish);

    // MachineVoice.cpp: what it says.
    void emit(const EventBody& body) { emit(body, m_clock.now()); }
    void emit(const EventBody& body, const Moment& at);
    void emitStep(RendezvousStep::Step step, const Message& detail = {});
    void notice(Notice::Severity severity, int globalRank, Message message);
    void setRunState(RunState state, const Message& reason = {}, int exitCode = 0);
    void setWorkerState(Worker& worker, WorkerState state, const Moment& at);
    void report(const End& end);
    void copyErrorFileToParent(const End& end);

    bool hasEverStarted() const { return m_attempts > 0; }
    bool isEnding() const;
    Restart uncharged(const Message& cause) const;
    std::string environment(const std::string& name) const;
    void makeTimer();
    std::vector<ProcessSampler::Target> sampled() const;

    const JobSpec m_spec;
    const AgentOptions m_options;
    EventLoop& m_loop;
    const Clock& m_clock;
    EventSink& m_events;
    Agent::Host& m_host;
    AgentConsole m_console;
    std::optional<EventLogHandler> m_eventLog;
    RestartPolicy m_policy;
    ProcessSampler m_sampler;
    std::unique_ptr<WatchdogTimer> m_watchdog;
    Result<std::unique_ptr<Rendezvous>> m_rendezvous;
    std::unique_ptr<WorkerProcesses> m_processes;

    Phase m_phase = Phase::New;
    RunState m_runState = RunState::Starting;
    WorkerState m_groupState = WorkerState::Init;
    Round m_round{};
    WorkerGroup m_group{};
    Moment m_startedAt{}; ///< Of the attempt.
    std::optional<FirstCause> m_firstCause{};
    Next m_next{Barrier{}};
    int m_attempts = 0;
    int m_stopSignal = 0;
    int m_wishesToEnd = 0; ///< Signals and stop commands; the second one doesn't wait.
    int m_lastSignal = 0;
    std::int64_t m_lastSignalNs = 0;
    bool m_isOpening = false; ///< Stopping, but the output isn't even ready.
    bool m_isThreadsWarningSaid = false;
    EventLoop::Registration m_timer; ///< Of the phase: settling, grace or delay.
};

} // namespace ringmaster
