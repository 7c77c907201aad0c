#include "engine/agent/Agent.h"

#include "engine/agent/Codes.h"
#include "engine/agent/FirstCauseFinder.h"
#include "engine/agent/RankAssignment.h"
#include "engine/agent/WarmChoice.h"
#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/ProcessSignal.h"
#include "engine/base/SignalName.h"
#include "engine/event/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/text/RankList.h"
#include "engine/worker/Codes.h"
#include "engine/worker/Descendants.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <limits>
#include <utility>

#include <unistd.h>

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

Agent::~Agent() = default;

void Agent::enter(AgentPhase next)
{
    assert(mayFollow(m_phase, next));
    m_phase = next;
    m_isExamining = false;
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
    m_timer.cancel();
    m_emitter.step(RendezvousStep::Step::Joining);
    (*m_rendezvous)->join(offerOf(m_spec, m_options.workers));
}

void Agent::openAttempt()
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
    enter(AgentPhase::Opening);
    m_processes->open(std::move(request));
}

void Agent::startWorkers(const AttemptOutput& output)
{
    m_group.setPlaces(output);
    m_emitter.emit(m_group.attempt());
    ++m_attempts;
    enter(AgentPhase::Running);
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

Result<void> Agent::start(LaunchPlan plan)
{
    auto warm = warmRequestOf(m_spec, m_options, plan);
    const Code cold = warm ? code::None : warm.error().code;
    if (std::exchange(m_coldCode, cold) != cold && cold != code::None)
        startExplained(warm.error());
    return m_processes->start(std::move(plan.launches),
                              warm ? std::optional(*std::move(warm)) : std::nullopt);
}

void Agent::judge()
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
void Agent::settle(bool isConclusive)
{
    if (isConclusive)
        groupFailed();
    else if (!m_timer.isActive())
        m_timer = m_loop.callAfter(m_spec.monitorInterval, [this] { groupFailed(); });
}

void Agent::groupFailed()
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

void Agent::stopGroup(const PendingTransition& transition, int signal)
{
    m_transition = transition;
    m_isOpening = m_phase == AgentPhase::Opening;
    if (m_phase == AgentPhase::Running && m_processes->abandonStart()) {
        for (Worker& worker : m_group.workers())
            worker.isLost = true;
    }
    enter(AgentPhase::Stopping);
    m_stopSignal = signal;
    examine(Ending::Asked, &Agent::signalStop);
}

/// Has the workers looked at that are about to be ended; then goes on. Who ends meanwhile, or
/// whoever can't wait for it, goes on by another way.
void Agent::examine(Ending ending, void (Agent::*then)())
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

void Agent::signalStop()
{
    signalGroup(m_stopSignal);
    m_timer = m_loop.callAfter(m_spec.restart.grace, [this] { graceIsOver(); });
    m_hint = m_loop.callAfter(m_options.hintPatience, [this] { tellWhoStillRuns(); });
    if (!m_isOpening && m_group.isGone())
        closeGroup();
}

void Agent::signalGroup(int signal)
{
    for (Worker& worker : m_group.workers())
        if (worker.isRunning())
            signalWorker(worker, signal);
}

void Agent::signalWorker(Worker& worker, int signal)
{
    if (worker.signalledAt.monotonicNs == 0)
        worker.signalledAt = m_clock.now();
    m_emitter.warn("Sending process " + std::to_string(worker.pid) + " closing signal " +
                   signalName(signal));
    m_processes->stop(worker.assignment.localRank, signal);
}

/// Whoever has asked for the end may want it sooner.
void Agent::tellWhoStillRuns()
{
    const auto secondsOf = [](auto time) {
        return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count());
    };
    std::vector<int> running;
    for (const Worker& worker : m_group.workers()) {
        if (worker.isRunning())
            running.push_back(worker.assignment.globalRank);
    }
    if (m_phase != AgentPhase::Stopping || m_stopRequests == 0 || running.empty())
        return;
    m_emitter.notice(Notice::Severity::Warning, -1,
                     {.code = code::WorkersStillRun,
                      .parameters = {{"ranks", rankList(running)},
                                     {"seconds", secondsOf(m_options.hintPatience)},
                                     {"grace", secondsOf(m_spec.restart.grace)},
                                     {"signal", signalName(m_stopSignal)}}});
}

void Agent::graceIsOver()
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
    examine(Ending::Killed, &Agent::closeGroup);
}

void Agent::closeGroup()
{
    for (Worker& worker : m_group.workers())
        if (worker.isRunning() && worker.signalledAt.monotonicNs == 0)
            worker.signalledAt = m_clock.now();
    enter(AgentPhase::Closing);
    m_timer =
        m_loop.callAfter(m_options.killPatience, [this] { killFailed(m_processes->survivors()); });
    m_processes->close();
}

/// What can't be killed holds its GPU and its ports: nothing can be started in its place. The
/// keeper stays until it can.
void Agent::killFailed(const std::vector<Message>& survivors)
{
    Message reason{.code = code::WorkersSurvive};
    for (const Message& survivor : survivors)
        m_emitter.notice(Notice::Severity::Error, -1, survivor);
    if (!survivors.empty())
        reason = survivors.front();
    explainFailure();
    leave({.reason = reason, .lastWords = describe(reason)});
}

void Agent::proceed()
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

void Agent::explainFailure()
{
    const auto* again = std::get_if<RestartRequest>(&m_transition);
    const auto* end = std::get_if<StopRequest>(&m_transition);
    if (!(again && again->isCharged) && !(end && end->isGroupFailure))
        return;
    m_firstCause = FirstCauseFinder(m_group.ends()).find(m_group.attempt().attempt);
    if (m_firstCause)
        m_emitter.emit(*m_firstCause);
}

void Agent::restart(const RestartRequest& restart)
{
    m_groupState = WorkerState::Stopped;
    m_emitter.emit(GroupRestarting{.attempt = m_group.attempt().attempt,
                                   .cause = m_firstCause ? m_firstCause->cause : restart.cause,
                                   .budgetBefore = restart.decision.budgetBefore,
                                   .budgetAfter = restart.decision.budgetAfter,
                                   .delayNs = restart.decision.delay.count()});
    if (restart.decision.delay.count() == 0)
        return join();
    enter(AgentPhase::Delaying);
    m_timer = m_loop.callAfter(restart.decision.delay, [this] { join(); });
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
void Agent::finish(const StopRequest& end)
{
    m_processes->finish([this, end] {
        enter(AgentPhase::Ended);
        m_emitter.report(end, m_group, m_firstCause);
        m_host.finished(end.state, end.exitCode);
    });
}

RestartRequest Agent::uncharged(const Message& cause) const
{
    return {.cause = cause,
            .decision = {.budgetBefore = m_policy.left(), .budgetAfter = m_policy.left()}};
}

void Agent::makeTimer()
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

std::vector<ProcessSampler::Target> Agent::sampled() const
{
    std::vector<ProcessSampler::Target> targets;
    for (const Worker& worker : m_group.workers())
        if (worker.isRunning())
            targets.push_back({worker.assignment.globalRank, worker.pid});
    return targets;
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
    end({.reason = error, .lastWords = describe(error)}, SIGTERM);
}

void Agent::rendezvousMembershipChanged(const Message& what)
{
    if (m_phase != AgentPhase::Opening && m_phase != AgentPhase::Running)
        return;
    m_emitter.runState(RunState::Restarting, what);
    stopGroup(uncharged(what), SIGTERM);
}

void Agent::rendezvousRecalled(const Message& why)
{
    if (m_phase != AgentPhase::InBarrier)
        return;
    m_emitter.runState(RunState::Restarting, why);
    restart(uncharged(why));
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

void Agent::attemptOpened(const Result<AttemptOutput>& output)
{
    if (m_phase == AgentPhase::Opening && output)
        return startWorkers(*output);
    // A second signal may have ended the run meanwhile.
    if (m_phase != AgentPhase::Opening && !(m_phase == AgentPhase::Stopping && m_isOpening))
        return;
    if (!output)
        m_transition = StopRequest{.reason = output.error(), .lastWords = describe(output.error())};
    for (Worker& worker : m_group.workers())
        worker.isLost = true;
    m_isOpening = false;
    closeGroup();
}

void Agent::startExplained(const Message& how)
{
    // Whoever insists on a warm start hears why it isn't one.
    const bool isWarm = how.code == code::WarmStart || how.code == code::WarmStartFirst;
    const bool isInsisted = m_spec.warm == WarmMode::On;
    m_emitter.notice(!isWarm && isInsisted ? Notice::Severity::Warning : Notice::Severity::Info, -1,
                     how);
}

void Agent::workerStarted(int localRank, pid_t pid, Moment at)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->pid = pid;
    m_emitter.workerState(*worker, WorkerState::Healthy, at);
    if (m_phase == AgentPhase::Stopping && !m_isExamining)
        signalWorker(*worker, m_stopSignal);
    if (m_phase != AgentPhase::Running || !m_group.allStarted())
        return;
    m_groupState = WorkerState::Healthy;
    m_startedAt = m_clock.now();
    m_emitter.runState(RunState::Running);
}

void Agent::workerNotStarted(int localRank, const Error& error)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->isLost = true;
    m_emitter.workerState(*worker, WorkerState::Failed, m_clock.now());
    // torchrun's agent dies of this: trying again wouldn't find the program either.
    if (m_phase == AgentPhase::Running)
        end({.reason = error, .lastWords = describe(error)}, SIGTERM);
    else if (m_phase == AgentPhase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::workerExited(int localRank, const WorkerExit& exit)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    m_group.setExit(*worker, exit);
    m_emitter.workerState(*worker, worker->state, exit.at);
    if (m_phase == AgentPhase::Running)
        judge();
    else if (m_phase == AgentPhase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::sessionEnded(int localRank)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->hasSession = false;
    if (m_phase == AgentPhase::Stopping && m_group.isGone())
        closeGroup();
}

void Agent::workerExplained(const WorkerExitReport& report, OutOfMemoryWatch::Finding outOfMemory)
{
    Worker* worker = m_group.find(report.localRank);
    if (worker == nullptr || !worker->exit)
        return;
    m_group.explain(*worker, report, outOfMemory);
    m_emitter.emit(*worker->exit, worker->seenExit.at);
    if (m_phase == AgentPhase::Running && worker->failed()) {
        const FailureKind kind = kindOf(WorkerGroup::endOf(*worker));
        settle(kind != FailureKind::PeerLost && kind != FailureKind::TimedOut);
    }
}

void Agent::keeperDied(const Error& error)
{
    for (Worker& worker : m_group.workers()) {
        if (worker.exit)
            continue;
        worker.isLost = true;
        m_emitter.workerState(worker, WorkerState::Unknown, m_clock.now());
    }
    m_emitter.notice(Notice::Severity::Error, -1, error);
    if (m_phase >= AgentPhase::Leaving)
        return;
    if (const auto survivors = m_processes->survivors(); !survivors.empty())
        killFailed(survivors);
    else if (m_phase == AgentPhase::Running)
        groupFailed();
    else if (m_phase == AgentPhase::Stopping)
        closeGroup();
}

void Agent::attemptClosed()
{
    if (m_phase == AgentPhase::Closing)
        proceed();
}

bool Agent::timerExpired(int pid, const std::string& scope, int signal)
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

void Agent::timerMessageRefused(const std::string& what)
{
    m_emitter.notice(Notice::Severity::Warning, -1,
                     {.code = code::TimerMessageRefused, .parameters = {{"what", what}}});
}

Result<void> Agent::handle(const Command& command)
{
    if (m_phase >= AgentPhase::Leaving)
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

Result<void> Agent::stopByUser(const StopRun& transition)
{
    const bool isAgain = m_stopRequests++ > 0;
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
    if (m_phase == AgentPhase::Opening || m_phase == AgentPhase::Running) {
        m_emitter.runState(RunState::Restarting, cause);
        stopGroup(uncharged(cause), SIGTERM);
    } else if (m_phase == AgentPhase::Delaying) {
        join();
    }
    return {};
}

Result<void> Agent::signalByUser(const SignalWorker& transition)
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

bool Agent::signalled(int signal)
{
    const Moment now = m_clock.now();
    const auto sinceLast = std::chrono::nanoseconds(now.monotonicNs - m_lastSignalNs);
    const bool isEcho = signal == m_lastSignal && sinceLast < SameSignal;
    m_lastSignal = signal;
    m_lastSignalNs = now.monotonicNs;
    if (isEcho || m_phase >= AgentPhase::Leaving)
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

void Agent::deviceFailed(const Message& what, const std::vector<pid_t>& pids)
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

void Agent::setWatched(bool watched)
{
    m_sampler.setOn(watched && m_phase < AgentPhase::Leaving);
}

void Agent::abort(const Error& why)
{
    end({.reason = why, .isFromOutside = true, .lastWords = describe(why)}, SIGTERM);
}

/// Ends the run as soon as the workers are gone; whatever else was wished is forgotten, but an end
/// that is on its way stays the reason.
void Agent::end(const StopRequest& end, int signal)
{
    switch (m_phase) {
    case AgentPhase::New:
    case AgentPhase::Preparing:
    case AgentPhase::Joining:
    case AgentPhase::Delaying:
    case AgentPhase::InBarrier: leave(end); break;
    case AgentPhase::Opening:
    case AgentPhase::Running:
        m_emitter.runState(RunState::Stopping, end.reason);
        stopGroup(end, signal);
        break;
    case AgentPhase::Stopping:
        if (!std::holds_alternative<StopRequest>(m_transition)) {
            m_emitter.runState(RunState::Stopping, end.reason);
            m_transition = end;
        }
        // Who saves already must not be told twice.
        if (std::exchange(m_stopSignal, signal) != signal && !m_isExamining)
            signalGroup(signal);
        break;
    case AgentPhase::Closing:
        if (!std::holds_alternative<StopRequest>(m_transition))
            m_transition = end;
        break;
    case AgentPhase::Leaving:
    case AgentPhase::Ended: break;
    }
}

void Agent::killNow()
{
    if (m_phase != AgentPhase::Stopping)
        return;
    if (const auto* transition = std::get_if<StopRequest>(&m_transition); transition && m_isOpening)
        return leave(StopRequest(*transition));
    m_emitter.notice(Notice::Severity::Warning, -1, {.code = code::WorkersKilledAtOnce});
    closeGroup();
}

bool Agent::isEnding() const
{
    return m_phase >= AgentPhase::Leaving ||
           ((m_phase == AgentPhase::Stopping || m_phase == AgentPhase::Closing) &&
            !std::holds_alternative<RestartRequest>(m_transition));
}

} // namespace ringmaster
