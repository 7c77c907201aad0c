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

Lead::Lead(LeadOptions options, RunFront& front)
    : m_options(std::move(options)), m_front(front), m_record(m_loop, front, m_options.node.spec)
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
        m_places->start(m_options.node.spec, m_record.folder().path(), *this);
    else if (!m_places->resume(*this))
        return fail(code::TakeoverImpossible, {{"run", m_record.folder().id()}});
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
    const AgentRecord record = RM_TRY(m_record.plan());
    RM_TRY(m_options.node.takesOver.empty() ? openNewRun(record) : openLostRun(record));
    EventNumbering::Origin origin{
        .run = m_record.folder().id(), .agent = "0", .node = shortHostName(), .clock = clockId()};
    if (m_standing)
        m_record.number(std::move(origin), m_standing->leadSequence(), m_standing->snapshot());
    else
        m_record.number(std::move(origin));
    if (m_options.node.isDetached)
        log::toFile(m_record.folder().agentLog());
    m_logs = std::make_unique<GatheredLogs>(m_record.folder().logs(), m_record.writer(),
                                            m_options.node.consoles, std::move(m_recordedLogs));
    m_operations = std::make_unique<GatheredOperations>(
        m_record.writer(), m_record.board(), [this](const EventBody& body) { emit(body); });
    const std::string id = spec.rendezvous.id;
    m_coordinator.emplace(
        ElasticCoordinator::Limits{.nodes = spec.nodes,
                                   .maxRestarts = spec.restart.maxRestarts,
                                   .lastCall = m_options.rendezvous.lastCallTimeout,
                                   .joinTimeout = m_options.rendezvous.joinTimeout,
                                   .reconnect = m_options.rendezvous.nodeTimeout,
                                   .runId = id == "none" ? m_record.folder().id() : id},
        static_cast<ElasticCoordinator::Host&>(*this));
    return {};
}

Result<void> Lead::openNewRun(const AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    return m_record.open(
        RM_TRY(RunFolder::create(runs, m_options.node.spec.displayName(), self, m_clock.now())),
        {});
}

/// The writer's lock holds off whoever closes lost runs, and a second one that takes over.
Result<void> Lead::openLostRun(const AgentRecord& self)
{
    const auto runs = m_options.node.runs.empty() ? runsFolder() : m_options.node.runs;
    RM_TRY(m_record.open(RM_TRY(RunFolder::find(runs, m_options.node.takesOver)), {}));
    if (lifeOf(RM_TRY(m_record.folder().agent())) != AgentLife::Gone)
        return fail(code::TakeoverTooEarly, {{"run", m_record.folder().id()}});
    RM_TRY(readStanding());
    return m_record.folder().setAgent(self);
}

Result<void> Lead::readStanding()
{
    const RunFileReader reader = RM_TRY(m_record.folder().openReader());
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
        return fail(code::RunNotRunning, {{"run", m_record.folder().id()}});
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
    m_standing = std::move(standing);
    return {};
}

void Lead::announce()
{
    if (m_standing)
        return resumeRecord();
    m_record.announce(m_options.node, m_jobText);
    emit(RunStateChanged{.state = RunState::Starting});
    m_front.opened(m_record.folder());
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
        return fail(code::RunNotRunning, {{"run", m_record.folder().id()}});
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
            m_record.snapshot().workers, signal->globalRank,
            [](const WorkerSnapshot& known) { return known.assignment.globalRank; });
        HostAgent* host =
            worker != m_record.snapshot().workers.end() ? find(worker->agent) : nullptr;
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
    m_record.stopServing();
    m_logs.reset();
    m_operations.reset();
    m_record.finish(RunCatalog(m_record.folder().path().parent_path()), m_options.node.retention);
    m_signals.cancel(); // a second Ctrl+C would cut the record short
}

} // namespace ringmaster
