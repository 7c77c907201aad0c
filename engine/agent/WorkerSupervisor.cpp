#include "engine/agent/WorkerSupervisor.h"

#include "engine/agent/Codes.h"
#include "engine/agent/WarmChoice.h"
#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/event/Codes.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <utility>

namespace ringmaster {

namespace {

using Phase = WorkerSupervisor::Phase;

/// Every other change of phase is a mistake of the supervisor's; only release() asks nobody.
[[maybe_unused]] bool mayFollow(Phase now, Phase next)
{
    switch (now) {
    case Phase::Idle: return next == Phase::Opening;
    case Phase::Opening:
        return next == Phase::Running || next == Phase::Stopping || next == Phase::Closing;
    case Phase::Running: return next == Phase::Stopping || next == Phase::Closing;
    case Phase::Stopping: return next == Phase::Closing;
    case Phase::Closing: return next == Phase::Idle;
    }
    return false;
}

Message rankMessage(Code code, const Worker& worker, Parameters more)
{
    more["rank"] = std::to_string(worker.assignment.globalRank);
    return {.code = code, .parameters = std::move(more)};
}

} // namespace

WorkerSupervisor::WorkerSupervisor(const JobSpec& spec, const AgentOptions& options, Parts parts)
    : m_spec(spec)
    , m_options(options)
    , m_loop(parts.loop)
    , m_clock(parts.clock)
    , m_emitter(parts.emitter)
    , m_host(parts.host)
    , m_sampler(
          m_loop, m_clock, [this] { return sampled(); },
          [this](const ProcessSampler::Sample& sample) {
              m_emitter.emit(ProcessSample{.attempt = m_group.attempt().attempt,
                                           .globalRank = sample.globalRank,
                                           .cpuFraction = sample.cpuFraction,
                                           .residentBytes = sample.residentBytes});
          })
    , m_restartRule(m_spec.restart)
    , m_timers(m_options, {m_loop, m_clock, m_emitter, m_group})
    , m_processes(parts.processes(*this))
    , m_disturbance(m_loop)
    , m_termination(
          m_spec, m_options,
          {m_loop, m_clock, m_emitter, m_group, *m_processes, [this] { close(); },
           [this](const std::vector<Message>& survivors) { m_host.workersSurvived(survivors); },
           std::move(parts.examine)})
{
}

WorkerSupervisor::~WorkerSupervisor() = default;

void WorkerSupervisor::enter(Phase next)
{
    assert(mayFollow(m_phase, next));
    m_phase = next;
    if (next == Phase::Running)
        return;
    m_disturbance.end(); // a stopped worker wouldn't hear what comes
    m_settling.cancel();
}

void WorkerSupervisor::open(WorkerGroup group, const Round& round)
{
    m_group = std::move(group);
    m_round = round;
    enter(Phase::Opening);
    m_processes->open(m_group.outputRequest());
}

void WorkerSupervisor::startWorkers(const AttemptOutput& output)
{
    m_group.setPlaces(output);
    m_emitter.emit(m_group.attempt());
    m_host.attemptReady();
    enter(Phase::Running);
    m_startedAt = m_clock.now();
    m_timers.open();

    auto plan = planLaunches({.spec = m_spec,
                              .options = m_options,
                              .round = m_round,
                              .group = m_group,
                              .output = output,
                              .timerFile = m_timers.file()});
    if (plan && plan->warnsAboutThreads && !std::exchange(m_isThreadsWarningSaid, true))
        m_emitter.warn(threadsWarning());
    const Result<void> started =
        plan ? start(*std::move(plan)) : Result<void>(tl::unexpected(plan.error()));
    if (!started) {
        for (Worker& worker : m_group.workers())
            worker.isLost = true;
        m_host.startFailed(started.error());
    }
}

Result<void> WorkerSupervisor::start(LaunchPlan plan)
{
    auto warm = warmRequestOf(m_spec, m_options, plan);
    const Code cold = warm ? code::None : warm.error().code;
    if (std::exchange(m_coldCode, cold) != cold && cold != code::None)
        startExplained(warm.error());
    return m_processes->start(std::move(plan.launches),
                              warm ? std::optional(*std::move(warm)) : std::nullopt);
}

void WorkerSupervisor::judge()
{
    if (m_group.allSucceeded()) {
        m_host.groupSucceeded();
        close();
    } else if (std::ranges::any_of(m_group.workers(), &Worker::failed)) {
        settle(!m_group.anyLeft());
    }
}

/// A worker that lost its peer may be seen before the peer that is guilty: that one still winds up.
/// It gets as long as torchrun would have taken to look.
void WorkerSupervisor::settle(bool isConclusive)
{
    if (isConclusive)
        m_host.groupFailed();
    else if (!m_settling.isActive())
        m_settling = m_loop.callAfter(m_spec.monitorInterval, [this] { m_host.groupFailed(); });
}

void WorkerSupervisor::stop(const Stop& stop)
{
    if (m_phase == Phase::Stopping)
        return m_termination.repeat(stop);
    const bool isOpening = m_phase == Phase::Opening;
    if (m_phase == Phase::Running && m_processes->abandonStart()) {
        for (Worker& worker : m_group.workers())
            worker.isLost = true;
    }
    enter(Phase::Stopping);
    m_termination.begin(stop, isOpening);
}

void WorkerSupervisor::kill()
{
    m_emitter.notice(Notice::Severity::Warning, -1, {.code = code::WorkersKilledAtOnce});
    close();
}

void WorkerSupervisor::close()
{
    enter(Phase::Closing);
    m_termination.close();
}

void WorkerSupervisor::release()
{
    m_phase = Phase::Idle;
    m_disturbance.end();
    m_settling.cancel();
    m_termination.cancel();
    m_sampler.setOn(false);
    m_timers.close();
}

std::chrono::nanoseconds WorkerSupervisor::ranFor() const
{
    return std::chrono::nanoseconds(m_clock.now().monotonicNs - m_startedAt.monotonicNs);
}

std::vector<ProcessSampler::Target> WorkerSupervisor::sampled() const
{
    std::vector<ProcessSampler::Target> targets;
    for (const Worker& worker : m_group.workers())
        if (worker.isRunning())
            targets.push_back({worker.assignment.globalRank, worker.pid});
    return targets;
}

void WorkerSupervisor::attemptOpened(const Result<AttemptOutput>& output)
{
    if (m_phase == Phase::Opening && output)
        return startWorkers(*output);
    // A second signal may have ended the run meanwhile.
    if (m_phase != Phase::Opening && !(m_phase == Phase::Stopping && m_termination.isOpening()))
        return;
    if (!output)
        m_host.openFailed(output.error());
    for (Worker& worker : m_group.workers())
        worker.isLost = true;
    close();
}

void WorkerSupervisor::startExplained(const Message& how)
{
    // Whoever insists on a warm start hears why it isn't one.
    const bool isWarm = how.code == code::WarmStart || how.code == code::WarmStartFirst;
    const bool isInsisted = m_spec.warm == WarmMode::On;
    m_emitter.notice(!isWarm && isInsisted ? Notice::Severity::Warning : Notice::Severity::Info, -1,
                     how);
}

void WorkerSupervisor::workerStarted(int localRank, pid_t pid, Moment at)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->pid = pid;
    m_emitter.workerState(*worker, WorkerState::Healthy, at);
    if (m_phase == Phase::Stopping)
        m_termination.workerStarted(*worker);
    if (m_phase != Phase::Running || !m_group.allStarted())
        return;
    m_startedAt = m_clock.now();
    m_host.groupRuns();
}

void WorkerSupervisor::workerNotStarted(int localRank, const Error& error)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->isLost = true;
    m_emitter.workerState(*worker, WorkerState::Failed, m_clock.now());
    if (m_phase == Phase::Running)
        m_host.workerMissing(error);
    else if (m_phase == Phase::Stopping && m_group.isGone())
        close();
}

void WorkerSupervisor::workerExited(int localRank, const WorkerExit& exit)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    m_group.setExit(*worker, exit);
    m_emitter.workerState(*worker, worker->state, exit.at);
    if (m_phase == Phase::Running)
        judge();
    else if (m_phase == Phase::Stopping && m_group.isGone())
        close();
}

void WorkerSupervisor::sessionEnded(int localRank)
{
    Worker* worker = m_group.find(localRank);
    if (worker == nullptr)
        return;
    worker->hasSession = false;
    if (m_phase == Phase::Stopping && m_group.isGone())
        close();
}

void WorkerSupervisor::workerExplained(const WorkerExitReport& report,
                                       OutOfMemoryWatch::Finding outOfMemory)
{
    Worker* worker = m_group.find(report.localRank);
    if (worker == nullptr || !worker->exit)
        return;
    m_group.explain(*worker, report, outOfMemory);
    m_restartRule.mark(*worker->exit, report);
    m_emitter.emit(*worker->exit, worker->seenExit.at);
    if (m_phase == Phase::Running && worker->failed())
        settle(!isOfAnother(kindOf(WorkerGroup::endOf(*worker))));
}

void WorkerSupervisor::keeperDied(const Error& error)
{
    for (Worker& worker : m_group.workers()) {
        if (worker.exit)
            continue;
        worker.isLost = true;
        m_emitter.workerState(worker, WorkerState::Unknown, m_clock.now());
    }
    m_emitter.notice(Notice::Severity::Error, -1, error);
    if (m_processes->mayHaveSurvivors())
        m_host.workersSurvived(m_processes->survivors());
    else if (m_phase == Phase::Running)
        m_host.groupFailed();
    else if (m_phase == Phase::Stopping)
        close();
}

void WorkerSupervisor::attemptClosed()
{
    if (m_phase != Phase::Closing)
        return;
    enter(Phase::Idle);
    m_termination.cancel();
    m_timers.forgetAll();
    m_host.groupEnded();
}

Result<void> WorkerSupervisor::signal(const SignalWorker& request)
{
    if (request.signal < 1 || request.signal > SIGRTMAX)
        return fail(code::SignalNotValid, {{"signal", std::to_string(request.signal)}});
    Worker* worker = m_group.findGlobal(request.globalRank);
    if (worker == nullptr || !worker->isRunning())
        return fail(code::RankNotRunningHere, {{"rank", std::to_string(request.globalRank)}});
    worker->userSignal = request.signal;
    worker->isDrill = false;
    m_processes->signal(worker->assignment.localRank, request.signal);
    m_emitter.notice(
        Notice::Severity::Info, request.globalRank,
        rankMessage(code::SignalSent, *worker, {{"signal", signalName(request.signal)}}));
    return {};
}

Result<void> WorkerSupervisor::disturb(const BeginDrill& drill)
{
    Worker* worker = m_group.findGlobal(drill.globalRank);
    const bool isHere = worker != nullptr && worker->isRunning() && !drill.isOfHost();
    if (m_phase != Phase::Running || !isHere)
        return fail(code::RankNotRunningHere, {{"rank", std::to_string(drill.globalRank)}});
    const int localRank = worker->assignment.localRank;
    if (drill.kind == BeginDrill::Kind::Kill) {
        worker->userSignal = SIGKILL;
        worker->isDrill = true;
        m_processes->signal(localRank, SIGKILL);
        return {};
    }
    m_disturbance.begin(drill, [this, localRank](int number) {
        const Worker* held = m_group.find(localRank);
        if (held != nullptr && held->isRunning())
            m_processes->signal(localRank, number);
    });
    return {};
}

void WorkerSupervisor::deviceFailed(const Message& what, const std::vector<pid_t>& pids)
{
    const std::vector<int> ranks = m_group.deviceFailed(what, pids, m_clock.now());
    for (const int rank : ranks)
        m_emitter.notice(Notice::Severity::Error, rank, what);
    if (ranks.empty())
        m_emitter.notice(Notice::Severity::Warning, -1, what);
}

} // namespace ringmaster
