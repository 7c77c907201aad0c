#include "engine/agent/AgentStateMachine.h"
#include "engine/agent/Codes.h"
#include "engine/base/ProcessSignal.h"
#include "engine/event/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"
#include "engine/worker/Descendants.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include <unistd.h>

namespace ringmaster {
namespace {

// A terminal that closes sends SIGHUP twice, through the kernel and the shell: nobody's second
// transition.
constexpr std::chrono::milliseconds SameSignal{100};

Message rankMessage(Code code, const Worker& worker, Parameters more)
{
    more["rank"] = std::to_string(worker.assignment.globalRank);
    return {.code = code, .parameters = std::move(more)};
}

std::string torchrunsLastWords(int signal)
{
    return "torch.distributed.elastic.multiprocessing.api.SignalException: Process " +
           std::to_string(::getpid()) + " got signal: " + std::to_string(signal);
}

} // namespace

void Agent::StateMachine::rendezvousJoined(const Round& round)
{
    if (m_phase != Phase::Joining)
        return;
    m_round = round;
    m_emitter.joined(m_round);
    openAttempt();
}

void Agent::StateMachine::rendezvousFailed(const Error& error)
{
    // Whoever has succeeded waits for the barrier's own answer.
    if (m_phase == Phase::InBarrier || m_phase >= Phase::Leaving)
        return;
    m_emitter.step(RendezvousStep::Step::Failed, error);
    end({.reason = error, .lastWords = describe(error)}, SIGTERM);
}

void Agent::StateMachine::rendezvousMembershipChanged(const Message& what)
{
    if (m_phase != Phase::Opening && m_phase != Phase::Running)
        return;
    m_emitter.runState(RunState::Restarting, what);
    stopGroup(uncharged(what), SIGTERM);
}

void Agent::StateMachine::rendezvousRecalled(const Message& why)
{
    if (m_phase != Phase::InBarrier)
        return;
    m_emitter.runState(RunState::Restarting, why);
    restart(uncharged(why));
}

void Agent::StateMachine::rendezvousClosed(const Message& why)
{
    if (m_phase >= Phase::Leaving)
        return;
    m_emitter.step(RendezvousStep::Step::Closed, why);
    const bool isNotNeeded = why.code == code::RendezvousNotNeeded;
    // A spare that the job didn't need. (Who was turned away hears rendezvousFailed().)
    if (m_phase == Phase::Joining || (isNotNeeded && m_phase < Phase::Joining))
        return leave({.state = RunState::Succeeded,
                      .reason = why,
                      .exitCode = 0,
                      .closesRendezvous = false});
    // Closing is how every node ends its part; after our own success only a failure is news.
    if (m_phase == Phase::InBarrier && why.code == code::RendezvousClosed)
        return;
    end({.state = isNotNeeded ? RunState::Stopped : RunState::Failed,
         .reason = why,
         .closesRendezvous = false,
         .lastWords = describe(why)},
        SIGTERM);
}

void Agent::StateMachine::attemptOpened(const Result<AttemptOutput>& output)
{
    if (m_phase == Phase::Opening && output)
        return startWorkers(*output);
    // A second signal may have ended the run meanwhile.
    if (m_phase != Phase::Opening && !(m_phase == Phase::Stopping && m_isOpening))
        return;
    if (!output)
        m_transition = StopRequest{.reason = output.error(), .lastWords = describe(output.error())};
    for (Worker& worker : m_group.workers())
        worker.isLost = true;
    m_isOpening = false;
    closeGroup();
}

void Agent::StateMachine::startExplained(const Message& how)
{
    // Whoever insists on a warm start hears why it isn't one.
    const bool isWarm = how.code == code::WarmStart || how.code == code::WarmStartFirst;
    const bool isInsisted = m_spec.warm == WarmMode::On;
    m_emitter.notice(!isWarm && isInsisted ? Notice::Severity::Warning : Notice::Severity::Info, -1,
                     how);
}

void Agent::StateMachine::workerStarted(int localRank, pid_t pid, Moment at)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->pid = pid;
    m_emitter.workerState(*worker, WorkerState::Healthy, at);
    if (m_phase == Phase::Stopping && !m_isExamining)
        signalWorker(*worker, m_stopSignal);
    if (m_phase != Phase::Running || !m_group.allStarted())
        return;
    m_groupState = WorkerState::Healthy;
    m_startedAt = m_clock.now();
    m_emitter.runState(RunState::Running);
}

void Agent::StateMachine::workerNotStarted(int localRank, const Error& error)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->isLost = true;
    m_emitter.workerState(*worker, WorkerState::Failed, m_clock.now());
    // torchrun's agent dies of this: trying again wouldn't find the program either.
    if (m_phase == Phase::Running)
        end({.reason = error, .lastWords = describe(error)}, SIGTERM);
    else if (m_phase == Phase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::StateMachine::workerExited(int localRank, const WorkerExit& exit)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    m_group.setExit(*worker, exit);
    m_emitter.workerState(*worker, worker->state, exit.at);
    if (m_phase == Phase::Running)
        judge();
    else if (m_phase == Phase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::StateMachine::sessionEnded(int localRank)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->hasSession = false;
    if (m_phase == Phase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::StateMachine::workerExplained(const WorkerExitReport& report,
                                          OutOfMemoryWatch::Finding outOfMemory)
{
    Worker* worker = m_group.find(report.localRank);
    if (worker == nullptr || !worker->exit)
        return;
    m_group.explain(*worker, report, outOfMemory);
    m_emitter.emit(*worker->exit, worker->seenExit.at);
    if (m_phase == Phase::Running && worker->failed()) {
        const FailureKind kind = kindOf(WorkerGroup::endOf(*worker));
        settle(kind != FailureKind::PeerLost && kind != FailureKind::TimedOut);
    }
}

void Agent::StateMachine::keeperDied(const Error& error)
{
    for (Worker& worker : m_group.workers()) {
        if (worker.exit)
            continue;
        worker.isLost = true;
        m_emitter.workerState(worker, WorkerState::Unknown, m_clock.now());
    }
    m_emitter.notice(Notice::Severity::Error, -1, error);
    if (m_phase >= Phase::Leaving)
        return;
    if (const auto survivors = m_processes->survivors(); !survivors.empty())
        killFailed(survivors);
    else if (m_phase == Phase::Running)
        groupFailed();
    else if (m_phase == Phase::Stopping)
        closeGroup();
}

void Agent::StateMachine::attemptClosed()
{
    if (m_phase == Phase::Closing)
        proceed();
}

bool Agent::StateMachine::timerExpired(int pid, const std::string& scope, int signal)
{
    const std::optional<ProcessIdentity> process = identityOf(pid);
    for (Worker& worker : m_group.workers()) {
        if (!worker.isRunning())
            continue;
        const auto family = descendantsOf(worker.pid);
        const bool isIts =
            worker.pid == pid || std::ranges::find(family, pid, &ProcessRow::pid) != family.end();
        if (!isIts)
            continue;
        worker.pendingCause = rankMessage(code::TimerExpired, worker,
                                          {{"scope", scope}, {"signal", std::to_string(signal)}});
        m_emitter.notice(Notice::Severity::Warning, worker.assignment.globalRank,
                         worker.pendingCause);
        if (process)
            (void)signalProcess(*process, signal);
        return true;
    }
    // A worker may write before the keeper's word of its start is read.
    return std::ranges::none_of(m_group.workers(), &Worker::isStarting);
}

void Agent::StateMachine::timerMessageRefused(const std::string& what)
{
    m_emitter.notice(Notice::Severity::Warning, -1,
                     {.code = code::TimerMessageRefused, .parameters = {{"what", what}}});
}

Result<void> Agent::StateMachine::handle(const Command& command)
{
    if (m_phase >= Phase::Leaving)
        return fail(code::RunNotRunning, {{"run", m_round.runId}});
    if (const auto* stop = std::get_if<StopRun>(&command))
        return stopByUser(*stop);
    if (const auto* signal = std::get_if<SignalWorker>(&command))
        return signalByUser(*signal);
    if (std::holds_alternative<RestartGroup>(command))
        return restartByUser();
    // The rest is for lessons; whoever has one takes it before.
    return fail(code::RunNotAcceptingCommand, {{"what", "stepped"}, {"state", "not a lesson"}});
}

Result<void> Agent::StateMachine::stopByUser(const StopRun& transition)
{
    const bool isAgain = m_stopRequests++ > 0;
    end({.state = RunState::Stopped, .reason = {.code = code::UserStopped}}, SIGTERM);
    if (transition.now || isAgain)
        killNow();
    return {};
}

Result<void> Agent::StateMachine::restartByUser()
{
    const Message cause{.code = code::UserRestarted};
    if (m_phase == Phase::InBarrier || isEnding())
        return fail(code::RunNotAcceptingCommand, {{"what", "restarted"}, {"state", "ending"}});
    if (m_phase == Phase::Opening || m_phase == Phase::Running) {
        m_emitter.runState(RunState::Restarting, cause);
        stopGroup(uncharged(cause), SIGTERM);
    } else if (m_phase == Phase::Delaying) {
        join();
    }
    return {};
}

Result<void> Agent::StateMachine::signalByUser(const SignalWorker& transition)
{
    if (transition.signal < 1 || transition.signal > SIGRTMAX)
        return fail(code::SignalNotValid, {{"signal", std::to_string(transition.signal)}});
    Worker* worker = m_group.findGlobal(transition.globalRank);
    if (worker == nullptr || !worker->isRunning())
        return fail(code::RankNotRunningHere, {{"rank", std::to_string(transition.globalRank)}});
    worker->userSignal = transition.signal;
    m_processes->signal(worker->assignment.localRank, transition.signal);
    m_emitter.notice(
        Notice::Severity::Info, transition.globalRank,
        rankMessage(code::SignalSent, *worker, {{"signal", signalName(transition.signal)}}));
    return {};
}

bool Agent::StateMachine::signalled(int signal)
{
    const Moment now = m_clock.now();
    const auto sinceLast = std::chrono::nanoseconds(now.monotonicNs - m_lastSignalNs);
    const bool isEcho = signal == m_lastSignal && sinceLast < SameSignal;
    m_lastSignal = signal;
    m_lastSignalNs = now.monotonicNs;
    if (isEcho || m_phase >= Phase::Leaving)
        return false;
    if (m_stopRequests++ > 0) {
        killNow();
        return true;
    }

    const std::string number = std::to_string(signal);
    if (hasEverStarted())
        m_emitter.warn("Received " + number + " death signal, shutting down workers");
    end({.state = RunState::Stopped,
         .reason = {.code = code::SignalReceived, .parameters = {{"signal", signalName(signal)}}},
         .exitCode = hasEverStarted() ? 1 : 128 + signal,
         .closesRendezvous = false,
         .lastWords = hasEverStarted() ? torchrunsLastWords(signal) : ""},
        signal);
    return true;
}

void Agent::StateMachine::deviceFailed(const Message& what, const std::vector<pid_t>& pids)
{
    bool isOurs = false;
    for (Worker& worker : m_group.workers()) {
        if (std::ranges::find(pids, worker.pid) == pids.end())
            continue;
        isOurs = true;
        worker.deviceFault = what;
        worker.deviceFaultAt = m_clock.now();
        m_emitter.notice(Notice::Severity::Error, worker.assignment.globalRank, what);
    }
    if (!isOurs)
        m_emitter.notice(Notice::Severity::Warning, -1, what);
}

void Agent::StateMachine::setWatched(bool watched)
{
    m_sampler.setOn(watched && m_phase < Phase::Leaving);
}

void Agent::StateMachine::abort(const Error& why)
{
    end({.reason = why, .isFromOutside = true, .lastWords = describe(why)}, SIGTERM);
}

/// Ends the run as soon as the workers are gone; whatever else was wished is forgotten, but an end
/// that is on its way stays the reason.
void Agent::StateMachine::end(const StopRequest& end, int signal)
{
    switch (m_phase) {
    case Phase::New:
    case Phase::Preparing:
    case Phase::Joining:
    case Phase::Delaying:
    case Phase::InBarrier: leave(end); break;
    case Phase::Opening:
    case Phase::Running:
        m_emitter.runState(RunState::Stopping, end.reason);
        stopGroup(end, signal);
        break;
    case Phase::Stopping:
        if (!std::holds_alternative<StopRequest>(m_transition)) {
            m_emitter.runState(RunState::Stopping, end.reason);
            m_transition = end;
        }
        // Who saves already must not be told twice.
        if (std::exchange(m_stopSignal, signal) != signal && !m_isExamining)
            signalGroup(signal);
        break;
    case Phase::Closing:
        if (!std::holds_alternative<StopRequest>(m_transition))
            m_transition = end;
        break;
    case Phase::Leaving:
    case Phase::Ended: break;
    }
}

void Agent::StateMachine::killNow()
{
    if (m_phase != Phase::Stopping)
        return;
    if (const auto* transition = std::get_if<StopRequest>(&m_transition); transition && m_isOpening)
        return leave(StopRequest(*transition));
    m_emitter.notice(Notice::Severity::Warning, -1, {.code = code::WorkersKilledAtOnce});
    closeGroup();
}

bool Agent::StateMachine::isEnding() const
{
    return m_phase >= Phase::Leaving ||
           ((m_phase == Phase::Stopping || m_phase == Phase::Closing) &&
            !std::holds_alternative<RestartRequest>(m_transition));
}

} // namespace ringmaster
