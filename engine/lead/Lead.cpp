#include "engine/lead/Lead.h"

#include "engine/agent/Codes.h"
#include "engine/agent/FailureReport.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/SignalName.h"
#include "engine/base/Thread.h"
#include "engine/control/ControlSocket.h"
#include "engine/event/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCommand.h"
#include "engine/lead/Codes.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/node/HostName.h"
#include "engine/node/Signals.h"
#include "engine/record/PrivateRecord.h"

#include <algorithm>

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LookInterval = 250ms;

} // namespace

Lead::Lead(LeadOptions options, Node::Front& front)
    : m_options(std::move(options))
    , m_front(front)
    , m_calibration(m_options.node.spec)
    , m_reminder(m_loop, m_clock, m_snapshot,
                 [this](const StandingVerdict& verdict, std::int64_t nowNs) {
                     m_front.reminded(verdict, nowNs);
                 })
{
}

Lead::~Lead() = default;

Result<int> Lead::run()
{
    if (auto prepared = guardThreads([this] { return prepare(); }); !prepared) {
        discard();
        return tl::unexpected(std::move(prepared).error());
    }
    announce();
    watchSignals();
    if (!m_standing)
        m_places->start(m_options.node.spec, m_folder->path(), *this);
    else if (!m_places->resume(*this))
        return fail(code::TakeoverImpossible, {{"run", m_folder->id()}});
    look();
    m_loop.run();
    finishRecord();
    return m_exitCode;
}

Result<void> Lead::prepare()
{
    RM_TRY(plan());
    RM_TRY(openRun());
    return openControl();
}

void Lead::discard()
{
    m_control.reset();
    m_housekeeper.reset();
    m_writer.reset();
    std::error_code ignored;
    if (m_folder && m_options.node.takesOver.empty())
        std::filesystem::remove_all(m_folder->path(), ignored);
}

Result<void> Lead::openRun()
{
    const auto self = identityOf(::getpid());
    if (!self)
        return fail(code::FileNotReadable, {{"path", "/proc/self/stat"}});
    const JobSpec& spec = m_options.node.spec;
    m_socket = RM_TRY(runtimeFolder()) / controlSocketName(*self);
    const AgentRecord record = AgentRecord::current(m_socket);
    RM_TRY(m_options.node.takesOver.empty() ? openNewRun(record) : openLostRun(record));
    m_numbering.emplace(
        EventNumbering::Origin{
            .run = m_folder->id(), .agent = "0", .node = shortHostName(), .clock = clockId()},
        m_standing ? m_standing->leadSequence() : 0);
    if (m_options.node.isDetached)
        log::toFile(m_folder->agentLog());
    m_housekeeper = std::make_unique<RunHousekeeper>(*m_folder, std::filesystem::path());
    m_recorded = std::make_unique<RecordedRun>(*m_folder, m_board);
    m_logs = std::make_unique<GatheredLogs>(m_folder->logs(), *m_writer, m_options.node.consoles,
                                            std::move(m_recordedLogs));
    m_operations = std::make_unique<GatheredOperations>(
        *m_writer, m_board, [this](const EventBody& body) { emit(body); });
    const std::string id = spec.rendezvous.id;
    m_coordinator.emplace(
        ElasticCoordinator::Limits{.nodes = spec.nodes,
                                   .maxRestarts = spec.restart.maxRestarts,
                                   .lastCall = m_options.rendezvous.lastCallTimeout,
                                   .joinTimeout = m_options.rendezvous.joinTimeout,
                                   .reconnect = m_options.rendezvous.nodeTimeout,
                                   .runId = id == "none" ? m_folder->id() : id},
        static_cast<ElasticCoordinator::Host&>(*this));
    return {};
}

Result<void> Lead::openNewRun(const AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    m_folder =
        RM_TRY(RunFolder::create(runs, m_options.node.spec.displayName(), self, m_clock.now()));
    return openRecord();
}

/// The writer's lock holds off whoever closes lost runs, and a second one that takes over.
Result<void> Lead::openLostRun(const AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    m_folder = RM_TRY(RunFolder::find(runs, m_options.node.takesOver));
    RM_TRY(openRecord());
    if (lifeOf(RM_TRY(m_folder->agent())) != AgentLife::Gone)
        return fail(code::TakeoverTooEarly, {{"run", m_folder->id()}});
    RM_TRY(readStanding());
    return m_folder->setAgent(self);
}

Result<void> Lead::openRecord()
{
    m_writer = RM_TRY(RunFileWriter::open(
        m_folder->runFile(), {.run = m_folder->id(), .onTrouble = [this](const Message& trouble) {
                                  m_loop.post([this, trouble] {
                                      emit(Notice{.severity = Notice::Severity::Warning,
                                                  .message = trouble});
                                  });
                              }}));
    return {};
}

Result<void> Lead::readStanding()
{
    const RunFileReader reader = RM_TRY(m_folder->openReader());
    RunStanding standing;
    for (std::uint64_t last = 0;;) {
        const std::vector<Event> events = RM_TRY(reader.events(last, {}));
        if (events.empty())
            break;
        for (const Event& event : events) {
            standing.happened(event);
            if (const auto* exit = std::get_if<WorkerExited>(&event.body))
                m_ends.exited(event.id.agent, *exit, event.at, event.node);
        }
        last = events.back().runSequence;
    }
    const RunState state = standing.snapshot().state;
    if (isFinal(state) && state != RunState::Lost)
        return fail(code::RunNotRunning, {{"run", m_folder->id()}});
    for (std::uint64_t cursor = 0;;) {
        constexpr size_t BlocksAPage = 64;
        const auto page = RM_TRY(reader.operations(cursor, BlocksAPage));
        if (page.rows.empty())
            break;
        for (const OperationRow& row : page.rows) {
            std::int64_t& until = m_recordedOperations[{row.attempt, row.globalRank}];
            until = std::max(until, row.lastNs);
        }
        cursor = page.cursor;
    }
    m_recordedLogs = RM_TRY(reader.recordedLogBytes());
    m_runSequence = standing.snapshot().lastSequence;
    m_snapshot = standing.snapshot();
    m_standing = std::move(standing);
    return {};
}

Result<void> Lead::openControl()
{
    ControlServer::Host& host = *this;
    m_control = std::make_unique<ControlServer>(m_loop, host, *m_recorded,
                                                ControlServer::Options{.run = m_folder->id()});
    RM_TRY(m_control->listen(m_socket.parent_path()));
    return {};
}

void Lead::announce()
{
    if (m_standing)
        return resumeRecord();
    const NodeOptions& node = m_options.node;
    RunStarted started{.jobFile = m_jobText,
                       .name = node.spec.displayName(),
                       .torchrunLine = node.torchrunLine,
                       .runFolder = m_folder->path(),
                       .workingFolder = node.workingFolder,
                       .ringmasterVersion = RINGMASTER_VERSION,
                       .agentPid = ::getpid(),
                       .detached = node.isDetached,
                       .maxRestarts = node.spec.restart.maxRestarts};
    emit(started);
    emit(RunStateChanged{.state = RunState::Starting});
    // Without it a shared log may show what the launcher's own environment held.
    (void)PrivateRecord(m_folder->path()).keepInherited(node.environment);
    m_front.opened(*m_folder);
}

void Lead::watchSignals()
{
    m_signals = m_loop.watchSignals(
        signalsToHandle(m_options.node.spec.signalsToHandle, m_options.node.ignoreHangup),
        [this](int signal) {
            m_front.signalled(signal);
            stop(m_stopRequests > 0, {code::SignalReceived, {{"signal", signalName(signal)}}, {}},
                 m_coordinator->attempt() < 0 ? 128 + signal : 1);
        });
}

void Lead::look()
{
    m_look = m_loop.callAfter(LookInterval, [this] { look(); });
    if (m_isPlaced)
        m_coordinator->look(m_clock.now().monotonicNs);
    if (m_coordinator->isEnding()) {
        m_again.clear();
        for (const auto& host : m_hosts)
            host->stopTrying();
    }
    m_operations->look(m_clock.now().monotonicNs);
    const bool isAlone =
        std::ranges::all_of(m_hosts, [](const auto& host) { return host->isOver(); });
    // Whatever they have said last, there is nobody to wait for.
    if (isAlone && m_coordinator->isEnding() && !m_over)
        m_coordinator->impossible({});
    const bool isOver = m_over && isAlone;
    if (isOver)
        m_places->end();
    if (!isOver || !m_places->isOver())
        return;
    m_logs->finish();
    m_operations->finish(m_clock.now().monotonicNs);
    const bool isFailure = m_over->state == RunState::Failed;
    if (isFailure && m_cause) {
        const FailureReport report(
            {.name = entryPointName(m_options.node.spec.roles.front(), m_options.node.environment),
             .hostName = hostNameSoon()},
            m_ends.of(m_cause->attempt), *m_cause);
        m_front.printed(report.asTorchrun());
        m_front.printed(report.readable());
    }
    emit(*m_over);
    m_exitCode = m_over->exitCode;
    m_front.ended();
    m_loop.stop();
}

void Lead::stop(bool isNow, const Message& reason, int exitCode)
{
    if (m_stopRequests++ == 0)
        m_stopCode = exitCode;
    m_coordinator->stopping(reason);
    for (const auto& host : m_hosts) {
        host->send(StopRun{.now = isNow});
        if (!host->isConnected() && isNow)
            host->abandon({code::HostNotWaitedFor, {{"host", host->host()}}, {}});
        else if (!host->isConnected())
            host->stopTrying();
    }
}

void Lead::emit(const EventBody& body)
{
    keep(m_numbering->next(body, m_clock.now()));
}

void Lead::keep(Event event)
{
    event.runSequence = ++m_runSequence;
    m_snapshot.apply(event);
    if (std::holds_alternative<Verdict>(event.body))
        m_reminder.verdictsChanged();
    m_control->publish(event);
    m_front.happened(event);
    const EventBody& body = event.body;
    if (std::holds_alternative<RunStateChanged>(body) ||
        std::holds_alternative<AttemptStarted>(body) || std::holds_alternative<RunStarted>(body))
        m_housekeeper->summarise(m_snapshot);
    const std::vector<Message> problems = m_calibration.happened(event);
    m_writer->append(std::move(event));
    for (const Message& problem : problems)
        emit(Notice{.severity = Notice::Severity::Warning, .message = problem});
}

void Lead::beginRound(const std::string& agent, const BeginRound& round)
{
    if (HostAgent* host = find(agent))
        host->send(round);
}

void Lead::leaveRound(const std::string& agent, const LeaveRound& leave)
{
    if (HostAgent* host = find(agent))
        host->send(leave);
}

void Lead::spare(const std::string& agent, bool isSpare)
{
    if (const HostAgent* host = find(agent))
        emit(HostChanged{.agent = agent,
                         .host = host->host(),
                         .state = isSpare ? HostChanged::State::StandingBy
                                          : HostChanged::State::Connected});
}

void Lead::closeRendezvous(const std::string& agent, const CloseRendezvous& close)
{
    if (HostAgent* host = find(agent))
        host->send(close);
}

void Lead::stateChanged(RunState state, const Message& reason)
{
    emit(RunStateChanged{.state = state, .reason = reason});
}

void Lead::restarting(const GroupRestarting& restart)
{
    emit(restart);
}

std::optional<FirstCause> Lead::firstCause(int attempt)
{
    m_cause = m_ends.firstCause(attempt);
    if (m_cause)
        emit(*m_cause);
    return m_cause;
}

void Lead::over(RunState state, const Message& reason)
{
    const int failed = state == RunState::Stopped ? m_stopCode : 1;
    m_over = RunStateChanged{
        .state = state, .reason = reason, .exitCode = state == RunState::Succeeded ? 0 : failed};
}

Result<void> Lead::execute(const Command& command)
{
    if (m_over)
        return fail(code::RunNotRunning, {{"run", m_folder->id()}});
    if (const auto* stopping = std::get_if<StopRun>(&command)) {
        stop(stopping->now || m_stopRequests > 0, {code::UserStopped, {}, {}}, 1);
        return {};
    }
    if (std::holds_alternative<RestartGroup>(command)) {
        m_coordinator->restart({code::UserRestarted, {}, {}}, m_clock.now().monotonicNs);
        return {};
    }
    if (const auto* signal = std::get_if<SignalWorker>(&command)) {
        const auto worker = std::ranges::find(
            m_snapshot.workers, signal->globalRank,
            [](const WorkerSnapshot& known) { return known.assignment.globalRank; });
        HostAgent* host = worker != m_snapshot.workers.end() ? find(worker->agent) : nullptr;
        if (host == nullptr || !host->isConnected())
            return fail(code::RankNotRunningHere, {{"rank", std::to_string(signal->globalRank)}});
        host->send(command);
        return {};
    }
    return fail(code::RunNotAcceptingCommand, {{"what", "stepped"}, {"state", "not a lesson"}});
}

void Lead::watched(bool /*isWatched*/) {} // what its agents send, it keeps in any case

void Lead::finishRecord()
{
    m_look.cancel();
    m_again.clear();
    m_hosts.clear();
    m_places.reset();
    m_control.reset();
    m_recorded.reset(); // a reader keeps the file's journal
    m_logs.reset();
    m_operations.reset();
    if (const auto finished = m_writer->finish(); !finished)
        m_front.printed("ringmaster: " + describe(finished.error()) + "\n");
    m_housekeeper->finish(m_snapshot, m_writer->unrecorded(),
                          RunCatalog(m_folder->path().parent_path()), m_options.node.retention);
    m_signals.cancel(); // a second Ctrl+C would cut the record short
}

} // namespace ringmaster
