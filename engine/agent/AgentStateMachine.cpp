#include "engine/agent/AgentStateMachine.h"

#include "engine/agent/Codes.h"
#include "engine/agent/FirstCauseFinder.h"
#include "engine/agent/LaunchPlan.h"
#include "engine/agent/RankAssignment.h"
#include "engine/agent/WarmChoice.h"
#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/SignalName.h"
#include "engine/text/RankList.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <limits>

namespace ringmaster {

namespace {

/// Its delays hold for each agent; the budget is the job's, and its lead's to charge.
RestartSpec restartsOf(const JobSpec& spec, const AgentOptions& options)
{
    RestartSpec restarts = spec.restart;
    if (options.isLed)
        restarts.maxRestarts = std::numeric_limits<int>::max();
    return restarts;
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

Agent::StateMachine::StateMachine(JobSpec spec, AgentOptions options, const Parts& parts)
    : m_spec(std::move(spec))
    , m_options(std::move(options))
    , m_loop(parts.loop)
    , m_clock(parts.clock)
    , m_host(parts.host)
    , m_emitter(m_spec, m_options, parts)
    , m_policy(restartsOf(m_spec, m_options))
    , m_sampler(
          m_loop, m_clock, [this] { return sampled(); },
          [this](const ProcessSampler::Sample& sample) {
              m_emitter.emit(ProcessSample{.attempt = m_group.attempt().attempt,
                                           .globalRank = sample.globalRank,
                                           .cpuFraction = sample.cpuFraction,
                                           .residentBytes = sample.residentBytes});
          })
    , m_rendezvous(parts.rendezvous(*this))
    , m_processes(parts.processes(*this))
    , m_prepare(parts.prepare)
    , m_examine(parts.examine)
{
}

bool Agent::StateMachine::mayFollow(Phase now, Phase next)
{
    switch (now) {
    case Phase::New:
        return next == Phase::Preparing || next == Phase::Joining || next == Phase::Leaving;
    case Phase::Preparing:
    case Phase::Delaying:
    case Phase::InBarrier: return next == Phase::Joining || next == Phase::Leaving;
    case Phase::Joining: return next == Phase::Opening || next == Phase::Leaving;
    case Phase::Opening:
        return next == Phase::Running || next == Phase::Stopping || next == Phase::Closing;
    case Phase::Running:
        // It leaves at once where its keeper was killed and nobody can end what that left.
        return next == Phase::Stopping || next == Phase::Closing || next == Phase::Leaving;
    case Phase::Stopping: return next == Phase::Closing || next == Phase::Leaving;
    case Phase::Closing:
        return next == Phase::Joining || next == Phase::Delaying || next == Phase::InBarrier ||
               next == Phase::Leaving;
    case Phase::Leaving: return next == Phase::Ended;
    case Phase::Ended: break;
    }
    return false;
}

void Agent::StateMachine::enter(Phase next)
{
    assert(mayFollow(m_phase, next));
    m_phase = next;
    m_isExamining = false;
}

void Agent::StateMachine::start()
{
    m_emitter.runState(RunState::Starting);
    if (!m_rendezvous)
        return leave({.reason = m_rendezvous.error()});
    if (m_prepare)
        prepare();
    else
        join();
}

void Agent::StateMachine::prepare()
{
    enter(Phase::Preparing);
    m_prepare([this](const Result<void>& prepared) {
        if (m_phase != Phase::Preparing)
            return;
        if (prepared)
            join();
        else
            leave({.reason = prepared.error(), .closesRendezvous = false});
    });
}

void Agent::StateMachine::join()
{
    enter(Phase::Joining);
    m_timer.cancel();
    m_emitter.step(RendezvousStep::Step::Joining);
    (*m_rendezvous)->join(offerOf(m_spec, m_options.workers));
}

void Agent::StateMachine::openAttempt()
{
    auto workers = assignRanks(offerOf(m_spec, m_options.workers), m_round);
    if (!workers)
        return leave({.reason = workers.error()});
    m_attempts = m_round.attempt.value_or(m_attempts);
    const int restartCount = m_round.restartCount.value_or(m_policy.used());
    m_group = WorkerGroup({.attempt = m_attempts,
                           .restartCount = restartCount,
                           .round = m_round.number,
                           .worldSize = m_round.worldSize},
                          *workers);
    m_emitter.setAttempt(m_attempts);
    m_groupState = WorkerState::Init;
    m_firstCause.reset();

    AttemptOutputRequest request{.attempt = m_attempts, .restartCount = restartCount};
    for (const WorkerAssignment& worker : *workers)
        request.workers.push_back({worker.localRank, worker.globalRank, worker.role});
    enter(Phase::Opening);
    m_processes->open(std::move(request));
}

void Agent::StateMachine::startWorkers(const AttemptOutput& output)
{
    m_group.setPlaces(output);
    m_emitter.emit(m_group.attempt());
    ++m_attempts;
    enter(Phase::Running);
    m_startedAt = m_clock.now();
    makeTimer();

    auto plan = planLaunches({.spec = m_spec,
                              .options = m_options,
                              .round = m_round,
                              .group = m_group,
                              .output = output,
                              .timerFile = m_watchdog ? m_watchdog->file().string() : ""});
    if (plan && plan->warnsAboutThreads && !std::exchange(m_isThreadsWarningSaid, true))
        m_emitter.warn(threadsWarning());
    const Result<void> started =
        plan ? start(*std::move(plan)) : Result<void>(tl::unexpected(plan.error()));
    if (!started) {
        for (Worker& worker : m_group.workers())
            worker.isLost = true;
        stopGroup(StopRequest{.reason = started.error()}, SIGTERM);
    }
}

Result<void> Agent::StateMachine::start(LaunchPlan plan)
{
    auto warm = warmRequestOf(m_spec, m_options, plan);
    const Code cold = warm ? code::None : warm.error().code;
    if (std::exchange(m_coldCode, cold) != cold && cold != code::None)
        startExplained(warm.error());
    return m_processes->start(std::move(plan.launches),
                              warm ? std::optional(*std::move(warm)) : std::nullopt);
}

void Agent::StateMachine::judge()
{
    if (m_group.allSucceeded()) {
        m_groupState = WorkerState::Succeeded;
        m_transition = PendingBarrier{};
        closeGroup();
    } else if (std::ranges::any_of(m_group.workers(), &Worker::failed)) {
        settle(!m_group.anyLeft());
    }
}

/// A worker that lost its peer may be seen before the peer that is guilty: that one still winds up.
/// It gets as long as torchrun would have taken to look.
void Agent::StateMachine::settle(bool isConclusive)
{
    if (isConclusive)
        groupFailed();
    else if (!m_timer.isActive())
        m_timer = m_loop.callAfter(m_spec.monitorInterval, [this] { groupFailed(); });
}

void Agent::StateMachine::groupFailed()
{
    const auto ranFor = m_clock.now().monotonicNs - m_startedAt.monotonicNs;
    const auto decision = m_policy.groupFailed(std::chrono::nanoseconds(ranFor));
    const auto failed = std::ranges::find_if(m_group.workers(), &Worker::failed);
    Message reason{.code = code::KeeperLost};
    if (failed != m_group.workers().end())
        reason = {.code = code::WorkerFailed,
                  .parameters = {{"rank", std::to_string(failed->assignment.globalRank)}}};
    m_groupState = WorkerState::Failed;
    if (!decision.refusal) {
        m_emitter.runState(RunState::Restarting, reason);
        return stopGroup(RestartRequest{.cause = reason, .isCharged = true, .decision = decision},
                         SIGTERM);
    }
    m_emitter.runState(RunState::Stopping, reason);
    if (decision.refusal == RestartPolicy::Refusal::FailedTooSoon)
        m_emitter.notice(Notice::Severity::Warning, -1,
                         {.code = code::FailedTooSoon,
                          .parameters = {{"seconds", std::to_string(ranFor / 1'000'000'000)}}});
    else if (m_spec.restart.maxRestarts > 0)
        m_emitter.notice(Notice::Severity::Warning, -1,
                         {.code = code::RestartBudgetSpent,
                          .parameters = {{"budget", std::to_string(m_spec.restart.maxRestarts)}}});
    stopGroup(StopRequest{.reason = reason, .isGroupFailure = true}, SIGTERM);
}

void Agent::StateMachine::stopGroup(const PendingTransition& transition, int signal)
{
    m_transition = transition;
    m_isOpening = m_phase == Phase::Opening;
    if (m_phase == Phase::Running && m_processes->abandonStart()) {
        for (Worker& worker : m_group.workers())
            worker.isLost = true;
    }
    enter(Phase::Stopping);
    m_stopSignal = signal;
    examine(Ending::Asked, &StateMachine::signalStop);
}

/// Has the workers looked at that are about to be ended; then goes on. Who ends meanwhile, or
/// whoever can't wait for it, goes on by another way.
void Agent::StateMachine::examine(Ending ending, void (StateMachine::*then)())
{
    constexpr std::chrono::milliseconds ExaminePatience{2500};
    m_timer.cancel();
    if (!m_examine || std::ranges::none_of(m_group.workers(), &Worker::isRunning))
        return (this->*then)();
    m_isExamining = true;
    const auto goOn = [this, then, number = ++m_examinations] {
        if (number == m_examinations && std::exchange(m_isExamining, false))
            (this->*then)();
    };
    m_timer = m_loop.callAfter(ExaminePatience, goOn);
    m_examine(reasonOf(m_transition), ending, goOn);
}

void Agent::StateMachine::signalStop()
{
    signalGroup(m_stopSignal);
    m_timer = m_loop.callAfter(m_spec.restart.grace, [this] { graceIsOver(); });
    m_hint = m_loop.callAfter(m_options.hintPatience, [this] { tellWhoStillRuns(); });
    if (!m_isOpening && m_group.isGone())
        closeGroup();
}

void Agent::StateMachine::signalGroup(int signal)
{
    for (Worker& worker : m_group.workers())
        if (worker.isRunning())
            signalWorker(worker, signal);
}

void Agent::StateMachine::signalWorker(Worker& worker, int signal)
{
    if (worker.signalledAt.monotonicNs == 0)
        worker.signalledAt = m_clock.now();
    m_emitter.warn("Sending process " + std::to_string(worker.pid) + " closing signal " +
                   signalName(signal));
    m_processes->stop(worker.assignment.localRank, signal);
}

/// Whoever has asked for the end may want it sooner.
void Agent::StateMachine::tellWhoStillRuns()
{
    const auto secondsOf = [](auto time) {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
    };
    std::vector<int> running;
    for (const Worker& worker : m_group.workers()) {
        if (worker.isRunning())
            running.push_back(worker.assignment.globalRank);
    }
    if (m_phase != Phase::Stopping || m_stopRequests == 0 || running.empty())
        return;
    m_emitter.notice(Notice::Severity::Warning, -1,
                     {.code = code::WorkersStillRun,
                      .parameters = {{"ranks", rankList(running)},
                                     {"seconds", secondsOf(m_options.hintPatience)},
                                     {"grace", secondsOf(m_spec.restart.grace)},
                                     {"signal", signalName(m_stopSignal)}}});
}

void Agent::StateMachine::graceIsOver()
{
    if (m_isOpening)
        return;
    for (const Worker& worker : m_group.workers()) {
        if (!worker.isRunning())
            continue;
        m_emitter.warn("Unable to shutdown process " + std::to_string(worker.pid) + " via " +
                       std::to_string(m_stopSignal) + ", forcefully exiting via 9");
        const auto seconds =
            std::chrono::duration_cast<std::chrono::seconds>(m_spec.restart.grace).count();
        m_emitter.notice(Notice::Severity::Warning, worker.assignment.globalRank,
                         {.code = code::WorkerIgnoresSignal,
                          .parameters = {{"rank", std::to_string(worker.assignment.globalRank)},
                                         {"seconds", std::to_string(seconds)},
                                         {"signal", signalName(m_stopSignal)}}});
    }
    examine(Ending::Killed, &StateMachine::closeGroup);
}

void Agent::StateMachine::closeGroup()
{
    for (Worker& worker : m_group.workers())
        if (worker.isRunning() && worker.signalledAt.monotonicNs == 0)
            worker.signalledAt = m_clock.now();
    enter(Phase::Closing);
    m_timer =
        m_loop.callAfter(m_options.killPatience, [this] { killFailed(m_processes->survivors()); });
    m_processes->close();
}

/// What can't be killed holds its GPU and its ports: nothing can be started in its place. The
/// keeper stays until it can.
void Agent::StateMachine::killFailed(const std::vector<Message>& survivors)
{
    Message reason{.code = code::WorkersSurvive};
    for (const Message& survivor : survivors)
        m_emitter.notice(Notice::Severity::Error, -1, survivor);
    if (!survivors.empty())
        reason = survivors.front();
    explainFailure();
    leave({.reason = reason, .lastWords = describe(reason)});
}

void Agent::StateMachine::proceed()
{
    m_timer.cancel();
    m_hint.cancel();
    if (m_watchdog)
        m_watchdog->forgetAll();
    explainFailure();
    if (const auto* again = std::get_if<RestartRequest>(&m_transition))
        restart(RestartRequest(*again));
    else if (const auto* end = std::get_if<StopRequest>(&m_transition))
        leave(StopRequest(*end));
    else
        enterBarrier();
}

void Agent::StateMachine::explainFailure()
{
    const auto* again = std::get_if<RestartRequest>(&m_transition);
    const auto* end = std::get_if<StopRequest>(&m_transition);
    if (!(again && again->isCharged) && !(end && end->isGroupFailure))
        return;
    m_firstCause = FirstCauseFinder(m_group.ends()).find(m_group.attempt().attempt);
    if (m_firstCause)
        m_emitter.emit(*m_firstCause);
}

void Agent::StateMachine::restart(const RestartRequest& restart)
{
    m_groupState = WorkerState::Stopped;
    m_emitter.emit(GroupRestarting{.attempt = m_group.attempt().attempt,
                                   .cause = m_firstCause ? m_firstCause->cause : restart.cause,
                                   .budgetBefore = restart.decision.budgetBefore,
                                   .budgetAfter = restart.decision.budgetAfter,
                                   .delayNs = restart.decision.delay.count()});
    if (restart.decision.delay.count() == 0)
        return join();
    enter(Phase::Delaying);
    m_timer = m_loop.callAfter(restart.decision.delay, [this] { join(); });
}

void Agent::StateMachine::enterBarrier()
{
    enter(Phase::InBarrier);
    (*m_rendezvous)->enterExitBarrier([this](const Result<void>& result) {
        if (m_phase != Phase::InBarrier)
            return;
        // torchrun's way, too: what this node had to do is done.
        if (!result)
            m_emitter.notice(
                Notice::Severity::Warning, -1,
                {.code = code::ExitBarrierGivenUp, .detail = describe(result.error())});
        leave({.state = RunState::Succeeded, .exitCode = 0});
    });
}

void Agent::StateMachine::leave(const StopRequest& end)
{
    if (m_phase >= Phase::Leaving)
        return;
    enter(Phase::Leaving);
    m_timer.cancel();
    m_sampler.setOn(false);
    m_watchdog.reset();
    if (end.isGroupFailure)
        m_groupState = WorkerState::Failed;
    else if (m_groupState != WorkerState::Succeeded && hasEverStarted())
        m_groupState = WorkerState::Stopped;
    if (end.state != RunState::Succeeded)
        m_emitter.copyErrorFile(end, m_group, m_firstCause);
    // Who stops it while its failed workers are replaced is why it ends, not what they failed of.
    const bool isOfWorkers = m_firstCause && end.state != RunState::Stopped && !end.isFromOutside;
    m_emitter.runState(end.state, isOfWorkers ? m_firstCause->cause : end.reason, end.exitCode);
    // With a lead, closing it ends nobody else's part: it only has no more to say.
    if ((end.closesRendezvous || m_options.isLed) && m_rendezvous)
        (*m_rendezvous)->close([this, end] { finish(end); });
    else
        finish(end);
}

/// The workers' last lines stand above the report.
void Agent::StateMachine::finish(const StopRequest& end)
{
    m_processes->finish([this, end] {
        enter(Phase::Ended);
        m_emitter.report(end, m_group, m_firstCause);
        m_host.finished(end.state, end.exitCode);
    });
}

RestartRequest Agent::StateMachine::uncharged(const Message& cause) const
{
    return {.cause = cause,
            .decision = {.budgetBefore = m_policy.left(), .budgetAfter = m_policy.left()}};
}

void Agent::StateMachine::makeTimer()
{
    const auto variable = [this](const char* name) {
        const auto found = m_options.environment.find(name);
        return found != m_options.environment.end() ? found->second : std::string();
    };
    if (m_watchdog || variable("TORCHELASTIC_ENABLE_FILE_TIMER") != "1")
        return;
    std::filesystem::path file = variable("TORCHELASTIC_TIMER_FILE");
    if (file.empty())
        file = m_options.temporaryFolder / ("watchdog_timer_" + randomToken(16));
    auto timer = WatchdogTimer::create(m_loop, m_clock, file, *this);
    if (timer)
        m_watchdog = std::move(*timer);
    else
        m_emitter.notice(Notice::Severity::Warning, -1, timer.error());
}

std::vector<ProcessSampler::Target> Agent::StateMachine::sampled() const
{
    std::vector<ProcessSampler::Target> targets;
    for (const Worker& worker : m_group.workers())
        if (worker.isRunning())
            targets.push_back({worker.assignment.globalRank, worker.pid});
    return targets;
}

} // namespace ringmaster
