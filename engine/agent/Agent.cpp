#include "engine/agent/Agent.h"

#include "engine/agent/Codes.h"
#include "engine/agent/RankAssignment.h"
#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/event/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"

#include <cassert>
#include <csignal>
#include <utility>

#include <unistd.h>

namespace ringmaster {

namespace {

std::string torchrunsLastWords(int signal)
{
    return "torch.distributed.elastic.multiprocessing.api.SignalException: Process " +
           std::to_string(::getpid()) + " got signal: " + std::to_string(signal);
}

/// Why the group is stopped.
Message reasonOf(const PendingTransition& transition)
{
    if (const auto* again = std::get_if<RestartRequest>(&transition))
        return again->cause;
    const auto* end = std::get_if<StopRequest>(&transition);
    return end != nullptr ? Message(end->reason) : Message();
}

} // namespace

Agent::Agent(JobSpec spec, AgentOptions options, Parts parts)
    : m_spec(std::move(spec))
    , m_options(std::move(options))
    , m_loop(parts.loop)
    , m_clock(parts.clock)
    , m_host(parts.host)
    , m_emitter(m_spec, m_options,
                {m_clock, parts.events, [this](std::string_view text) { m_host.printed(text); }})
    , m_failures(m_spec, m_options, m_emitter)
    , m_rendezvous(parts.rendezvous(*this))
    , m_workers(m_spec, m_options,
                {m_loop, m_clock, m_emitter, *this, parts.processes, parts.examine})
    , m_prepare(parts.prepare)
{
}

Agent::~Agent() = default;

void Agent::enter(AgentPhase next)
{
    assert(mayFollow(m_phase, next));
    m_phase = next;
}

void Agent::start()
{
    m_emitter.runState(RunState::Starting);
    if (!m_rendezvous)
        return leave({.reason = m_rendezvous.error()});
    if (m_prepare)
        prepare();
    else
        join();
}

void Agent::prepare()
{
    enter(AgentPhase::Preparing);
    m_prepare([this](const Result<void>& prepared) {
        if (m_phase != AgentPhase::Preparing)
            return;
        if (prepared)
            join();
        else
            leave({.reason = prepared.error(), .closesRendezvous = false});
    });
}

void Agent::join()
{
    enter(AgentPhase::Joining);
    m_delay.cancel();
    m_emitter.step(RendezvousStep::Step::Joining);
    (*m_rendezvous)->join(offerOf(m_spec, m_options.workers));
}

void Agent::openAttempt()
{
    auto workers = assignRanks(offerOf(m_spec, m_options.workers), m_round);
    if (!workers)
        return leave({.reason = workers.error()});
    m_attempts = m_round.attempt.value_or(m_attempts);
    const int restartCount = m_round.restartCount.value_or(m_failures.restartsUsed());
    m_emitter.setAttempt(m_attempts);
    m_groupState = WorkerState::Init;
    m_failures.attemptBegins();
    enter(AgentPhase::InAttempt);
    m_workers.open(WorkerGroup({.attempt = m_attempts,
                                .restartCount = restartCount,
                                .round = m_round.number,
                                .worldSize = m_round.worldSize},
                               *workers),
                   m_round);
}

void Agent::attemptReady()
{
    ++m_attempts;
}

void Agent::openFailed(const Error& error)
{
    // An end that is on its way stays the reason.
    if (!isStopPending())
        m_transition = StopRequest{.reason = error, .lastWords = describe(error)};
}

void Agent::startFailed(const Error& error)
{
    stopGroup(StopRequest{.reason = error}, SIGTERM);
}

/// torchrun's agent dies of this: trying again wouldn't find the program either.
void Agent::workerMissing(const Error& error)
{
    end({.reason = error, .lastWords = describe(error)}, SIGTERM);
}

void Agent::groupRuns()
{
    m_groupState = WorkerState::Healthy;
    m_emitter.runState(RunState::Running);
}

void Agent::groupSucceeded()
{
    m_groupState = WorkerState::Succeeded;
    m_transition = PendingBarrier{};
}

void Agent::groupFailed()
{
    m_groupState = WorkerState::Failed;
    stopGroup(m_failures.groupFailed(m_workers.group(), m_workers.ranFor()), SIGTERM);
}

void Agent::stopGroup(const PendingTransition& transition, int signal)
{
    m_transition = transition;
    signalStop(signal);
}

/// For the reason that is known now.
void Agent::signalStop(int signal)
{
    m_workers.stop(
        {.why = reasonOf(m_transition), .signal = signal, .isByUser = m_stopRequests.any()});
}

/// What can't be killed holds its GPU and its ports: nothing can be started in its place. The
/// keeper stays until it can.
void Agent::workersSurvived(const std::vector<Message>& survivors)
{
    if (m_phase >= AgentPhase::Leaving)
        return;
    Message reason{.code = code::WorkersSurvive};
    for (const Message& survivor : survivors)
        m_emitter.notice(Notice::Severity::Error, -1, survivor);
    if (!survivors.empty())
        reason = survivors.front();
    m_failures.groupEnded(m_workers.group(), m_transition);
    leave({.reason = reason, .lastWords = describe(reason)});
}

void Agent::groupEnded()
{
    if (m_phase != AgentPhase::InAttempt)
        return;
    m_failures.groupEnded(m_workers.group(), m_transition);
    if (const auto* again = std::get_if<RestartRequest>(&m_transition);
        again && m_failures.refuses(*again, m_workers.group()))
        leave({.reason = again->cause, .isGroupFailure = true});
    else if (again)
        restart(RestartRequest(*again));
    else if (const auto* end = std::get_if<StopRequest>(&m_transition))
        leave(StopRequest(*end));
    else
        enterBarrier();
}

void Agent::restart(const RestartRequest& restart)
{
    m_groupState = WorkerState::Stopped;
    const auto& firstCause = m_failures.firstCause();
    m_emitter.emit(GroupRestarting{.attempt = m_workers.group().attempt().attempt,
                                   .cause = firstCause ? firstCause->cause : restart.cause,
                                   .budgetBefore = restart.decision.budgetBefore,
                                   .budgetAfter = restart.decision.budgetAfter,
                                   .delayNs = restart.decision.delay.count()});
    if (restart.decision.delay.count() == 0)
        return join();
    enter(AgentPhase::Delaying);
    m_delay = m_loop.callAfter(restart.decision.delay, [this] { join(); });
}

void Agent::enterBarrier()
{
    enter(AgentPhase::InBarrier);
    (*m_rendezvous)->enterExitBarrier([this](const Result<void>& result) {
        if (m_phase != AgentPhase::InBarrier)
            return;
        // torchrun's way, too: what this node had to do is done.
        if (!result)
            m_emitter.notice(
                Notice::Severity::Warning, -1,
                {.code = code::ExitBarrierGivenUp, .detail = describe(result.error())});
        leave({.state = RunState::Succeeded, .exitCode = 0});
    });
}

void Agent::leave(const StopRequest& end)
{
    if (m_phase >= AgentPhase::Leaving)
        return;
    enter(AgentPhase::Leaving);
    m_delay.cancel();
    m_workers.release();
    if (end.isGroupFailure)
        m_groupState = WorkerState::Failed;
    else if (m_groupState != WorkerState::Succeeded && hasEverStarted())
        m_groupState = WorkerState::Stopped;
    const auto& firstCause = m_failures.firstCause();
    if (end.state != RunState::Succeeded)
        m_emitter.copyErrorFile(end, m_workers.group(), firstCause);
    // Who stops it while its failed workers are replaced is why it ends, not what they failed of;
    // and a success has no cause.
    const bool isOfWorkers = firstCause && end.state == RunState::Failed && !end.isFromOutside;
    m_emitter.runState(end.state, isOfWorkers ? firstCause->cause : end.reason, end.exitCode);
    // With a lead, closing it ends nobody else's part: it only has no more to say.
    if ((end.closesRendezvous || m_options.isLed) && m_rendezvous)
        (*m_rendezvous)->close([this, end] { finish(end); });
    else
        finish(end);
}

/// The workers' last lines stand above the report.
void Agent::finish(const StopRequest& end)
{
    m_workers.finish([this, end] {
        enter(AgentPhase::Ended);
        m_emitter.report(end, m_workers.group(), m_failures.firstCause());
        m_host.finished(end.state, end.exitCode);
    });
}

void Agent::rendezvousJoined(const Round& round)
{
    if (m_phase != AgentPhase::Joining)
        return;
    m_round = round;
    m_emitter.joined(m_round);
    openAttempt();
}

void Agent::rendezvousFailed(const Error& error)
{
    // Whoever has succeeded waits for the barrier's own answer.
    if (m_phase == AgentPhase::InBarrier || m_phase >= AgentPhase::Leaving)
        return;
    m_emitter.step(RendezvousStep::Step::Failed, error);
    // A lead's word is about the job, and says more to the next lead than what failed here before.
    end({.reason = error, .isFromOutside = m_options.isLed, .lastWords = describe(error)}, SIGTERM);
}

void Agent::rendezvousMembershipChanged(const Message& what)
{
    if (!m_workers.isUp())
        return;
    m_emitter.runState(RunState::Restarting, what);
    stopGroup(m_failures.uncharged(what), SIGTERM);
}

void Agent::rendezvousRecalled(const Message& why)
{
    if (m_phase != AgentPhase::InBarrier)
        return;
    m_emitter.runState(RunState::Restarting, why);
    restart(m_failures.uncharged(why));
}

void Agent::rendezvousClosed(const Message& why)
{
    if (m_phase >= AgentPhase::Leaving)
        return;
    m_emitter.step(RendezvousStep::Step::Closed, why);
    const bool isNotNeeded = why.code == code::RendezvousNotNeeded;
    // A spare that the job didn't need. (Who was turned away hears rendezvousFailed().)
    if (m_phase == AgentPhase::Joining || (isNotNeeded && m_phase < AgentPhase::Joining))
        return leave({.state = RunState::Succeeded,
                      .reason = why,
                      .exitCode = 0,
                      .closesRendezvous = false});
    // Closing is how every node ends its part; after our own success only a failure is news.
    if (m_phase == AgentPhase::InBarrier && why.code == code::RendezvousClosed)
        return;
    end({.state = isNotNeeded ? RunState::Stopped : RunState::Failed,
         .reason = why,
         .closesRendezvous = false,
         .lastWords = describe(why)},
        SIGTERM);
}

Result<void> Agent::handle(const Command& command)
{
    if (m_phase >= AgentPhase::Leaving)
        return fail(code::RunNotRunning, {{"run", m_round.runId}});
    if (const auto* stop = std::get_if<StopRun>(&command))
        return stopByUser(*stop);
    if (const auto* signal = std::get_if<SignalWorker>(&command))
        return m_workers.signal(*signal);
    if (const auto* drill = std::get_if<BeginDrill>(&command))
        return m_workers.disturb(*drill);
    if (std::holds_alternative<RestartGroup>(command))
        return restartByUser();
    // The rest is for lessons; whoever has one takes it before.
    return fail(code::RunNotAcceptingCommand, {{"what", "stepped"}, {"state", "not a lesson"}});
}

Result<void> Agent::stopByUser(const StopRun& transition)
{
    const bool isAgain = m_stopRequests.asked() == StopRequests::Kind::Again;
    end({.state = RunState::Stopped, .reason = {.code = code::UserStopped}}, SIGTERM);
    if (transition.now || isAgain)
        killNow();
    return {};
}

Result<void> Agent::restartByUser()
{
    const Message cause{.code = code::UserRestarted};
    if (m_phase == AgentPhase::InBarrier || isEnding())
        return fail(code::RunNotAcceptingCommand, {{"what", "restarted"}, {"state", "ending"}});
    if (m_workers.isUp()) {
        m_emitter.runState(RunState::Restarting, cause);
        stopGroup(m_failures.uncharged(cause), SIGTERM);
    } else if (m_phase == AgentPhase::Delaying) {
        join();
    }
    return {};
}

bool Agent::signalled(int signal)
{
    const auto request = m_stopRequests.signalled(signal, m_clock.now().monotonicNs);
    if (request == StopRequests::Kind::Echo || m_phase >= AgentPhase::Leaving)
        return false;
    if (request == StopRequests::Kind::Again) {
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

void Agent::deviceFailed(const Message& what, const std::vector<pid_t>& pids)
{
    m_workers.deviceFailed(what, pids);
}

void Agent::setWatched(bool watched)
{
    m_workers.setWatched(watched && m_phase < AgentPhase::Leaving);
}

void Agent::abort(const Error& why)
{
    end({.reason = why, .isFromOutside = true, .lastWords = describe(why)}, SIGTERM);
}

/// Ends the run as soon as the workers are gone; whatever else was asked is forgotten, but an end
/// that is on its way stays the reason.
void Agent::end(const StopRequest& end, int signal)
{
    switch (m_phase) {
    case AgentPhase::New:
    case AgentPhase::Preparing:
    case AgentPhase::Joining:
    case AgentPhase::Delaying:
    case AgentPhase::InBarrier: leave(end); break;
    case AgentPhase::InAttempt: endAttempt(end, signal); break;
    case AgentPhase::Leaving:
    case AgentPhase::Ended: break;
    }
}

void Agent::endAttempt(const StopRequest& end, int signal)
{
    using Phase = WorkerSupervisor::Phase;
    switch (m_workers.phase()) {
    case Phase::Opening:
    case Phase::Running:
        m_emitter.runState(RunState::Stopping, end.reason);
        stopGroup(end, signal);
        break;
    case Phase::Stopping:
        if (!isStopPending()) {
            m_emitter.runState(RunState::Stopping, end.reason);
            m_transition = end;
        }
        signalStop(signal);
        break;
    case Phase::Closing:
        if (!isStopPending())
            m_transition = end;
        break;
    case Phase::Idle: break;
    }
}

void Agent::killNow()
{
    if (m_workers.phase() == WorkerSupervisor::Phase::Closing)
        return m_workers.giveUpOutput();
    if (m_workers.phase() != WorkerSupervisor::Phase::Stopping)
        return;
    if (const auto* pending = std::get_if<StopRequest>(&m_transition);
        pending && m_workers.isOpening())
        return leave(StopRequest(*pending));
    m_workers.kill();
}

bool Agent::isStopPending() const
{
    return std::holds_alternative<StopRequest>(m_transition);
}

bool Agent::isEnding() const
{
    return m_phase >= AgentPhase::Leaving ||
           (m_phase == AgentPhase::InAttempt && !m_workers.isUp() &&
            !std::holds_alternative<RestartRequest>(m_transition));
}

} // namespace ringmaster
