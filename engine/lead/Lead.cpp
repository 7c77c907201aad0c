#include "engine/lead/Lead.h"

#include "engine/agent/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/control/ControlSocket.h"
#include "engine/event/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCommand.h"
#include "engine/lead/AgentReports.h"
#include "engine/lead/Codes.h"
#include "engine/lead/NodeProviderChoice.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/node/Codes.h"
#include "engine/node/HostName.h"
#include "engine/node/Signals.h"
#include "engine/node/UserRestart.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LookInterval = 250ms;
constexpr auto LogPatience = 5s;

} // namespace

Lead::Lead(LeadOptions options, RunFront& front)
    : m_options(std::move(options))
    , m_front(front)
    , m_record(m_loop, front, m_options.node.spec)
    , m_failures(m_options.node.spec.restart)
    , m_ending(m_options.node.spec)
{
    m_record.observe([this](const EventBody& body, const Moment&) {
        m_ending.happened(body, m_clock.now().monotonicNs); // what an agent says has its own time
    });
}

Lead::~Lead() = default;

Result<int> Lead::run()
{
    if (auto prepared = guardThreads([this] { return prepare(); }); !prepared) {
        discard();
        return tl::unexpected(std::move(prepared).error());
    }
    announce();
    m_ending.begin(m_clock.now(), m_record.snapshot().startedAt.wallNs);
    watchSignals();
    if (m_takeover)
        m_places->resume(m_record.folder().path(), [this] { takeOver(); });
    else
        m_places->start(m_record.folder().path());
    look();
    m_loop.run();
    finishRecord();
    return m_exitCode;
}

Result<void> Lead::prepare()
{
    RM_TRY(plan());
    RM_TRY(openRun());
    return m_record.serve(static_cast<ControlServer::Host&>(*this));
}

void Lead::discard()
{
    m_record.discard(m_options.node.takesOver.empty());
}

Result<void> Lead::openRun()
{
    const JobSpec& spec = m_options.node.spec;
    AgentRecord record = RM_TRY(m_record.plan());
    record.generation = static_cast<std::uint64_t>(m_clock.now().wallNs);
    RM_TRY(m_options.node.takesOver.empty() ? openNewRun(record) : openLostRun(record));
    EventNumbering::Origin origin{
        .run = m_record.folder().id(), .agent = "0", .node = shortHostName(), .clock = clockId()};
    if (m_takeover)
        m_record.number(std::move(origin), m_takeover->standing().leadSequence(),
                        m_takeover->standing().snapshot());
    else
        m_record.number(std::move(origin));
    if (m_options.node.isDetached)
        log::toFile(m_record.folder().agentLog());
    m_logs = std::make_unique<GatheredLogs>(
        m_record.folder().logs(), m_record.writer(), m_options.node.consoles,
        m_takeover ? std::optional(m_takeover->takeLogs()) : std::nullopt);
    m_operations =
        std::make_unique<GatheredOperations>(m_record.writer(), m_record.rankActivities(),
                                             [this](const EventBody& body) { emit(body); });
    const std::string id = spec.rendezvous.id;
    m_coordinator.emplace(
        ElasticCoordinator::Limits{.nodes = spec.nodes,
                                   .maxRestarts = spec.restart.maxRestarts,
                                   .leaveHostOutAfter = spec.restart.leaveHostOutAfter,
                                   .lastCall = m_options.rendezvous.lastCallTimeout,
                                   .joinTimeout = m_options.rendezvous.joinTimeout,
                                   .reconnect = m_options.rendezvous.nodeTimeout,
                                   .runId = id == "none" ? m_record.folder().id() : id},
        static_cast<ElasticCoordinator::Host&>(*this));
    auto reports = std::make_unique<AgentReports>(AgentReports::Parts{
        .record = m_record,
        .operations = *m_operations,
        .ends = m_failures.ends(),
        .coordinator = *m_coordinator,
        .provider = *m_provider,
        .clock = m_clock,
        .recorded = [this](const EventBody& body) { m_drills->happened(body); },
        .gone = [this](const auto& host, const Message& why) { m_places->agentGone(host, why); },
        .ended =
            [this](const auto& host, const RunStateChanged& state) {
                m_places->agentEnded(host.agent(), state);
            }});
    m_agents = std::make_unique<HostAgents>(
        HostAgents::Parts{.loop = m_loop,
                          .places = *m_provider,
                          .logs = *m_logs,
                          .operations = *m_operations,
                          .lead = std::move(reports),
                          .mayStart = [this] { return !m_coordinator->isEnding(); },
                          .cannotMake =
                              [this](const Message& why) {
                                  emit(Notice{.severity = Notice::Severity::Error, .message = why});
                              }},
        m_options, m_record.folder().id(), record.generation);
    m_places = std::make_unique<RunPlaces>(
        RunPlaces::Parts{.provider = *m_provider,
                         .agents = *m_agents,
                         .coordinator = *m_coordinator,
                         .clock = m_clock,
                         .emit = [this](const EventBody& body) { emit(body); }},
        spec);
    openDrills();
    return {};
}

void Lead::openDrills()
{
    m_drills = std::make_unique<DrillDriver>(
        m_loop,
        DrillDriver::Host{.run = [this]() -> const RunSnapshot& { return m_record.snapshot(); },
                          .disturb =
                              [this](const BeginDrill& drill) {
                                  return m_agents->drill(drill, m_record.snapshot());
                              },
                          .tell = [this](const Notice& notice) { emit(notice); },
                          .failed = [this](const Error& why) { failByRule(why); },
                          .settle = [this] { (void)m_record.writer().flush(); }},
        m_record.folder(), m_options.node.spec, m_options.node.drill);
}

Result<void> Lead::openNewRun(const AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    return m_record.open(
        RM_TRY(RunFolder::create(runs, m_options.node.spec.displayName(), self, m_clock.now())),
        {});
}

/// The writer's lock holds off whoever closes lost runs, and a second one that takes over. An open
/// dashboard may still be closing this one: opening waits for its lock.
Result<void> Lead::openLostRun(AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    RM_TRY(m_record.open(RM_TRY(RunFolder::find(runs, m_options.node.takesOver)), {}));
    m_takeover = RM_TRY(Takeover::begin(m_record.folder(), self, [this](const Message& end) {
        return m_provider->mayExplain(end);
    }));
    m_failures.resume(m_takeover->takeEnds());
    return {};
}

void Lead::announce()
{
    const std::vector<EventBody> first =
        m_takeover ? m_takeover->firstEvents()
                   : std::vector<EventBody>{m_record.begin(m_options.node, m_jobText),
                                            RunStateChanged{.state = RunState::Starting}};
    for (const EventBody& body : first)
        emit(body);
    // Who reads of its hosts on the terminal doesn't find a run that is still lost.
    if (m_takeover)
        (void)m_record.writer().flush();
    m_front.opened(m_record.folder());
    if (const auto port = m_options.node.spec.metricsPort)
        m_record.serveMetrics(*port);
}

void Lead::watchSignals()
{
    m_signals = m_loop.watchSignals(
        signalsToHandle(m_options.node.spec.signalsToHandle, m_options.node.ignoreHangup),
        [this](int signal) {
            m_front.signalled(signal);
            if (const auto asked = m_ending.signalled(signal, m_coordinator->attempt() >= 0,
                                                      m_clock.now().monotonicNs))
                stop(*asked);
        });
}

void Lead::look()
{
    m_look = m_loop.callAfter(LookInterval, [this] { look(); });
    if (m_places->areGiven())
        m_coordinator->look(m_clock.now().monotonicNs);
    if (m_coordinator->isEnding())
        m_agents->stopTrying();
    m_operations->look(m_clock.now().monotonicNs);
    lookAtRules();
    const bool isAlone = m_agents->areAllOver();
    // Whatever they have said last, there is nobody to wait for.
    if (isAlone && m_coordinator->isEnding() && !m_over)
        m_coordinator->impossible({});
    const bool isOver = m_over && isAlone;
    if (isOver)
        m_provider->end();
    if (!isOver || !m_provider->isOver())
        return;
    m_logs->finish([this] { m_loop.post([this] { end(); }); });
    awaitLogs(m_logs->written(), 0);
}

/// A disk that takes nothing for a while isn't waited for. It is asked twice: this process itself
/// may have stood still.
void Lead::awaitLogs(std::uint64_t written, int silences)
{
    m_look = m_loop.callAfter(LogPatience, [this, written, silences] {
        const std::uint64_t now = m_logs->written();
        if (now != written)
            return awaitLogs(now, 0);
        if (silences == 0)
            return awaitLogs(now, 1);
        m_areLogsStuck = true;
        end();
    });
}

void Lead::end()
{
    if (std::exchange(m_hasEnded, true))
        return;
    m_look.cancel();
    m_operations->finish(m_clock.now().monotonicNs);
    if (m_over->state == RunState::Failed)
        report();
    m_drills->runEnds(m_over->state);
    m_over->exitCode = m_drills->exitCode(m_over->exitCode);
    emit(*m_over);
    m_exitCode = m_over->exitCode;
    m_front.ended();
    m_loop.stop();
}

void Lead::report()
{
    const auto report = m_failures.report(
        {.name = entryPointName(m_options.node.spec.roles.front(), m_options.node.environment),
         .hostName = hostNameSoon(),
         .torchVersion = m_options.node.torchVersion});
    if (!report)
        return;
    m_front.printed(report->asTorchrun());
    m_front.printed(report->readable());
}

void Lead::lookAtRules()
{
    if (m_coordinator->isEnding())
        return;
    const auto due = m_ending.due(m_clock.now().monotonicNs);
    if (!due)
        return;
    emit(Notice{.severity = Notice::Severity::Warning, .message = *due});
    failByRule(*due);
}

void Lead::failByRule(const Message& why)
{
    m_failures.forgetCause(); // what an earlier attempt failed of isn't why this one ends
    stop(m_ending.failed(why));
}

void Lead::stop(const JobEnding::Stop& stop)
{
    m_coordinator->stopping(stop.reason, stop.end);
    m_agents->stop(stop.isNow);
}

void Lead::spare(const std::string& agent, bool isSpare)
{
    if (const std::string host = m_agents->hostOf(agent); !host.empty())
        emit(HostChanged{.agent = agent,
                         .host = host,
                         .state = isSpare ? HostChanged::State::StandingBy
                                          : HostChanged::State::Connected});
}

/// Its agents hear of it after this.
void Lead::stateChanged(RunState state, const Message& reason)
{
    if (reason.code == code::UserRestarted)
        m_operations->stopping(m_clock.now().monotonicNs);
    emit(RunStateChanged{.state = state, .reason = reason});
}

void Lead::restarting(const GroupRestarting& restart)
{
    if (const auto cause = causeOfUsersRestart(restart, m_record.snapshot()))
        emit(*cause);
    emit(restart);
}

std::optional<FirstCause> Lead::firstCause(int attempt)
{
    auto cause = m_failures.firstCause(attempt);
    if (cause)
        emit(*cause);
    return cause;
}

std::optional<Message> Lead::refusesRestart(int attempt)
{
    auto refusal = m_failures.refusal(attempt);
    if (refusal)
        emit(Notice{.severity = Notice::Severity::Warning, .message = *refusal});
    return refusal;
}

std::string Lead::guiltyHost(int attempt)
{
    return m_agents->hostOf(m_failures.guiltyAgent(attempt));
}

void Lead::over(RunState state, const Message& reason)
{
    m_over = m_ending.over(state, reason);
}

Result<void> Lead::execute(const Command& command)
{
    if (m_over)
        return fail(code::RunNotRunning, {{"run", m_record.folder().id()}});
    if (const auto* stopping = std::get_if<StopRun>(&command)) {
        stop(m_ending.commanded(*stopping));
        return {};
    }
    if (std::holds_alternative<RestartGroup>(command)) {
        m_coordinator->restart({code::UserRestarted, {}, {}}, m_clock.now().monotonicNs);
        return {};
    }
    if (const auto* signal = std::get_if<SignalWorker>(&command))
        return m_agents->sendToRank(signal->globalRank, *signal, m_record.snapshot());
    if (const auto* drill = std::get_if<BeginDrill>(&command))
        return m_drills->begin(*drill);
    return fail(code::RunNotAcceptingCommand, {{"what", "stepped"}, {"state", "not a lesson"}});
}

void Lead::takeStacks(std::function<void(Result<KeptEvidence>)> answer)
{
    m_agents->takeStacks(m_clock.now(), std::move(answer));
}

void Lead::watched(bool /*isWatched*/) {} // what its agents send, it keeps in any case

void Lead::finishRecord()
{
    EndLimit& limit = m_endLimit.emplace(
        EndLimit::Setting{.exitCode = m_exitCode,
                          .tell = [this](const auto& text) { m_front.printed(text); },
                          .consoles = m_options.node.consoles});
    limit.awaits(m_record.folder().path());
    m_look.cancel();
    m_drills.reset();
    m_places.reset();
    m_agents.reset();
    m_provider.reset();
    m_record.stopServing();
    if (!m_areLogsStuck) // their end would be waited for
        m_logs.reset();
    m_operations.reset();
    limit.awaits(m_record.folder().path());
    m_record.finish(RunCatalog(m_record.folder().path().parent_path()), m_options.node.retention);
    m_signals.cancel(); // a second Ctrl+C would cut the record short
    if (m_areLogsStuck)
        limit.endNow(m_record.folder().logs());
}

Result<void> Lead::plan()
{
    JobSpec& spec = m_options.node.spec;
    RM_TRY(applyConfiguration(spec.rendezvous.configuration, m_options.rendezvous));
    const LinkTimes times(m_options.rendezvous.nodeTimeout);
    m_options.ssh.aliveSeconds = times.aliveSeconds(SshSettings::AliveQuestions);
    m_options.ssh.connectSeconds = std::max(m_options.ssh.connectSeconds, times.connectSeconds());
    m_jobText = RM_TRY(jobFileText(spec));
    m_provider = makeNodeProvider(m_options, m_loop);
    return m_provider->prepare(spec);
}

/// The hosts that the former lead had are given.
void Lead::takeOver()
{
    Takeover takeover = *std::exchange(m_takeover, std::nullopt);
    const auto stopReason = takeover.resume({.agents = *m_agents,
                                             .coordinator = *m_coordinator,
                                             .operations = *m_operations,
                                             .ends = m_failures.ends(),
                                             .emit = [this](const EventBody& body) { emit(body); }},
                                            m_clock.now().monotonicNs);
    if (stopReason)
        stop(m_ending.resumed(*stopReason));
}

} // namespace ringmaster
