#pragma once

#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/Disturbance.h"
#include "engine/agent/GroupTermination.h"
#include "engine/agent/LaunchPlan.h"
#include "engine/agent/ProcessSampler.h"
#include "engine/agent/RestartRule.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/agent/WorkerProcesses.h"
#include "engine/agent/WorkerTimers.h"
#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"
#include "engine/job/JobSpec.h"

#include <functional>
#include <memory>
#include <vector>

namespace ringmaster {

/// The workers of this node, one attempt after the other: starts them, says how each fares, judges
/// whether the group has succeeded or failed, and has it ended (GroupTermination). Whether there is
/// another attempt is for its host to say. Lives on the loop's thread.
class WorkerSupervisor final : WorkerProcesses::Host
{
public:
    /// What the group is in.
    enum class Phase {
        Idle,     ///< There is none.
        Opening,  ///< The output of an attempt is being made ready.
        Running,  ///< Workers are started, or run.
        Stopping, ///< They are told to end; some are left.
        Closing   ///< None is left: the rest is swept, the output read.
    };

    using Ending = GroupTermination::Ending;
    using Stop = GroupTermination::Request;

    /// Whose workers they are. After whatever ends the group comes groupEnded(), or
    /// workersSurvived().
    class Host
    {
    public:
        virtual ~Host() = default;
        /// Answers open(); the workers are started next.
        virtual void attemptReady() = 0;
        /// Answers open(), or stop() before that was answered. The group ends.
        virtual void openFailed(const Error& error) = 0;
        /// No worker could be started; the host stops the group.
        virtual void startFailed(const Error& error) = 0;
        /// One of them couldn't be; the host stops the group.
        virtual void workerMissing(const Error& error) = 0;
        virtual void groupRuns() = 0;
        /// All workers have; the group ends.
        virtual void groupSucceeded() = 0;
        /// A worker has, or the keeper is gone; the host stops the group.
        virtual void groupFailed() = 0;
        virtual void groupEnded() = 0;
        /// What couldn't be killed, and why, where that is known. It may also be left of a group
        /// that has ended.
        virtual void workersSurvived(const std::vector<Message>& survivors) = 0;
    };

    struct Parts
    {
        EventLoop& loop;
        const Clock& clock;
        AgentEventEmitter& emitter;
        Host& host;
        std::function<std::unique_ptr<WorkerProcesses>(WorkerProcesses::Host&)> processes;
        /// As Agent::Parts has it.
        Examination::Look examine{};
    };

    /// Spec and options outlive this.
    WorkerSupervisor(const JobSpec& spec, const AgentOptions& options, Parts parts);
    ~WorkerSupervisor() override;
    WorkerSupervisor(const WorkerSupervisor&) = delete;
    WorkerSupervisor& operator=(const WorkerSupervisor&) = delete;

    void open(WorkerGroup group, const Round& round);
    /// Of a group that is being stopped: another signal, for another reason.
    void stop(const Stop& stop);
    /// A group that is being stopped isn't waited for.
    void kill();
    /// Of a group that is gone, and whose last output is waited for: no more.
    void giveUpOutput() { m_termination.giveUpOutput(); }
    /// The run is over: what comes of the group isn't heard any more.
    void release();
    /// The last call.
    void finish(std::function<void()> done) { m_processes->finish(std::move(done)); }

    Result<void> signal(const SignalWorker& request);
    /// What a fire drill does to a rank; a group that is told to end is left in peace.
    Result<void> disturb(const BeginDrill& drill);
    /// As Agent's.
    void deviceFailed(const Message& what, const std::vector<pid_t>& pids);
    void setWatched(bool watched) { m_sampler.setOn(watched); }

    Phase phase() const { return m_phase; }
    /// Open, and not told to end.
    bool isUp() const { return m_phase == Phase::Opening || m_phase == Phase::Running; }
    /// Stopping, but the output isn't even ready.
    bool isOpening() const { return m_termination.isOpening(); }
    /// The last one.
    const WorkerGroup& group() const { return m_group; }
    std::chrono::nanoseconds ranFor() const;

private:
    void enter(Phase next);
    void startWorkers(const AttemptOutput& output);
    Result<void> start(LaunchPlan plan);
    void judge();
    void settle(bool isConclusive);
    void close();
    std::vector<ProcessSampler::Target> sampled() const;

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

    const JobSpec& m_spec;
    const AgentOptions& m_options;
    EventLoop& m_loop;
    const Clock& m_clock;
    AgentEventEmitter& m_emitter;
    Host& m_host;
    ProcessSampler m_sampler;
    WorkerGroup m_group{};
    const RestartRule m_restartRule;
    WorkerTimers m_timers;
    std::unique_ptr<WorkerProcesses> m_processes;
    Disturbance m_disturbance;
    GroupTermination m_termination; ///< Stopping and Closing.

    Phase m_phase = Phase::Idle;
    Round m_round{};
    Moment m_startedAt{}; ///< Of the attempt.
    bool m_isThreadsWarningSaid = false;
    Code m_coldCode = code::None; ///< Why workers start cold, as it was said.
    EventLoop::Registration m_settling;
};

} // namespace ringmaster
