#include "engine/node/Node.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/control/ControlSocket.h"
#include "engine/job/JobFile.h"
#include "engine/job/WorkerCounts.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/machine/MachineCounts.h"
#include "engine/machine/WorkerCpus.h"
#include "engine/node/Codes.h"
#include "engine/node/HostName.h"
#include "engine/node/RendezvousChoice.h"
#include "engine/node/Signals.h"
#include "engine/record/PrivateRecord.h"
#include "engine/worker/Subreaper.h"
#include "engine/worker/hook/StartHook.h"

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Old runs are looked at when this one has got going.
constexpr auto HousekeepingDelay = 1s;

} // namespace

Node::Node(NodeOptions options, Front& front)
    : m_options(std::move(options))
    , m_front(front)
    , m_runs(m_options.runs.empty() ? runsFolder() : m_options.runs)
    // Of several hosts their lead knows.
    , m_calibration(m_options.order ? JobSpec() : m_options.spec)
    , m_reminder(m_loop, m_clock, m_snapshot,
                 [this](const StandingVerdict& verdict, std::int64_t nowNs) {
                     m_front.reminded(verdict, nowNs);
                 })
{
}

Node::~Node() = default;

Result<int> Node::run()
{
    if (auto prepared = guardThreads([this] { return prepare(); }); !prepared) {
        discard();
        return tl::unexpected(std::move(prepared).error());
    }
    announce();
    watchSignals();
    scheduleHousekeeping();
    m_agent->start();
    m_loop.run();
    finishRecord();
    return m_exitCode;
}

Result<void> Node::prepare()
{
    RM_TRY(becomeSubreaper());
    RM_TRY(openRunFolder());
    RM_TRY(openRunFile());
    openLedgers();
    openDevices();
    RM_TRY(openLesson());
    RM_TRY(openOutput());
    RM_TRY(makeAgent());
    return openControl();
}

/// Nothing was started, so there is no run.
void Node::discard()
{
    closeParts();
    m_housekeeper.reset();
    m_writer.reset();
    std::error_code ignored;
    if (m_folder)
        std::filesystem::remove_all(m_folder->path(), ignored);
}

/// Each before what it uses; what records the run stays.
void Node::closeParts()
{
    m_leadConnection.reset();
    m_devices.reset();
    m_agent.reset();
    m_images.reset();
    m_lesson.reset();
    m_ledgerSocket.reset();
    m_ledgers.reset();
    m_output.reset();
    m_control.reset();
}

Result<void> Node::openRunFolder()
{
    const auto self = identityOf(::getpid());
    if (!self)
        return fail(code::FileNotReadable, {{"path", "/proc/self/stat"}});
    m_socket = RM_TRY(runtimeFolder()) / controlSocketName(*self);
    if (m_options.spec.rendezvous.standalone)
        m_options.spec.rendezvous.id = randomRunId();
    const auto& order = m_options.order;
    const AgentRecord agent = AgentRecord::current(m_socket);
    // One of several on a machine: their folders, and what is found by the run's token, differ.
    m_folder =
        order
            ? RM_TRY(RunFolder::createNamed(m_runs, order->run + "." + order->agent, agent))
            : RM_TRY(RunFolder::create(m_runs, m_options.spec.displayName(), agent, m_clock.now()));
    m_numbering.emplace(EventNumbering::Origin{.run = order ? order->run : m_folder->id(),
                                               .agent = order ? order->agent : "0",
                                               .node = shortHostName(),
                                               .clock = clockId()});
    if (m_options.isDetached)
        log::toFile(m_folder->agentLog());
    return {};
}

Result<void> Node::openRunFile()
{
    m_writer = RM_TRY(RunFileWriter::open(
        m_folder->runFile(), {.run = m_folder->id(), .onTrouble = [this](const Message& trouble) {
                                  m_loop.post([this, trouble] { recordTroubled(trouble); });
                              }}));
    m_housekeeper = std::make_unique<RunHousekeeper>(*m_folder, learntModules());
    m_recorded = std::make_unique<RecordedRun>(*m_folder, m_board);
    return {};
}

void Node::firstCollectiveDone(const FirstCollectiveTimes& first)
{
    m_housekeeper->learn();
    const auto told = m_times.firstCollectiveDone(first);
    if (!told)
        return;
    const Moment now = m_clock.now();
    emit(told->notice, {told->atNs, now.wallNs - (now.monotonicNs - told->atNs)});
}

Result<void> Node::execute(const Command& command)
{
    if (m_lesson)
        if (auto done = m_lesson->execute(command))
            return *std::move(done);
    if (m_leadConnection)
        if (auto done = m_leadConnection->execute(command))
            return *std::move(done);
    return m_agent->handle(command);
}

void Node::watched(bool isWatched)
{
    m_agent->setWatched(isWatched);
    m_devices->setOn(isWatched);
    if (m_lesson)
        m_lesson->watched(isWatched);
}

void Node::tellLedgers(const EventBody& body)
{
    if (!m_ledgers)
        return;
    if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        m_ledgers->attemptStarted(*attempt);
    if (const auto* worker = std::get_if<WorkerStateChanged>(&body); worker && worker->pid > 0)
        m_ledgers->workerStarted(worker->globalRank, worker->pid);
    if (const auto* run = std::get_if<RunStateChanged>(&body);
        run && run->state == RunState::Stopping)
        m_ledgers->stopping();
    if (const auto* worker = std::get_if<WorkerExited>(&body))
        m_ledgers->workerExited(worker->globalRank, !worker->status.succeeded());
}

Result<void> Node::makeAgent()
{
    const JobSpec& spec = m_options.spec;
    AgentOptions options{.hostName = hostNameSoon(),
                         .interpreter = m_options.interpreter,
                         .token = spec.plain ? "" : m_folder->id(),
                         .temporaryFolder = m_folder->path(),
                         .hookFolder = m_ledgers ? hookStartFolder().value_or("").string() : "",
                         .ringFolder = ringFolder().value_or("").string(),
                         .hook = [this](int localRank) { return hookOf(localRank); },
                         .warm = m_options.warm,
                         .ignoreHangup = m_options.ignoreHangup,
                         .environment = m_options.environment};
    const MachineCounts machine = countMachine(m_options.environment);
    if (machine.gpus > 0)
        options.ncclProfiler = ncclProfiler().value_or("").string();
    int workers = 0;
    for (const Role& role : spec.roles) {
        options.workers.push_back(RM_TRY(resolveWorkers(role.workers, machine)));
        workers += options.workers.back();
    }
    if (!spec.numaBinding.empty())
        options.cpus = RM_TRY(workerCpus(spec.numaBinding, workers, m_options.environment));
    options.isLed = m_options.order.has_value();
    const RendezvousOptions rendezvous = RM_TRY(rendezvousOf(spec, m_options.environment));
    if (m_options.order)
        m_leadConnection = std::make_unique<LeadConnection>(
            m_loop, *m_options.order,
            CoordinatedRendezvous::Options{.shareStore = rendezvous.shareStore},
            static_cast<LeadConnection::Host&>(*this));
    Agent::Parts parts{
        .loop = m_loop,
        .clock = m_clock,
        .events = *this,
        .host = *this,
        .rendezvous = [this,
                       rendezvous](Rendezvous::Host& host) { return joinable(rendezvous, host); },
        .processes = [this](WorkerProcesses::Host& host) { return makeProcesses(host); }};
    if (needsImages(spec))
        parts.prepare = [this](ImageFetch::Done done) { fetchImages(std::move(done)); };
    m_agent = std::make_unique<Agent>(spec, std::move(options), std::move(parts));
    return {};
}

void Node::announce()
{
    RunStarted started{.name = m_options.spec.displayName(),
                       .torchrunLine = m_options.torchrunLine,
                       .runFolder = m_folder->path(),
                       .workingFolder = m_options.workingFolder,
                       .ringmasterVersion = RINGMASTER_VERSION,
                       .agentPid = ::getpid(),
                       .detached = m_options.isDetached,
                       .maxRestarts = m_options.spec.restart.maxRestarts};
    if (auto text = jobFileText(m_options.spec))
        started.jobFile = *std::move(text);
    emit(started, m_clock.now());
    if (m_lesson)
        emit(m_lesson->started(m_options.spec), m_clock.now());
    // Without it a shared log may show what the launcher's own environment held.
    (void)PrivateRecord(m_folder->path()).keepInherited(m_options.environment);
    m_front.opened(*m_folder);
    if (m_ledgers && !hookStartFolder())
        emit(Notice{.severity = Notice::Severity::Warning,
                    .message = {code::HookMissing, {{"path", executableFolder().string()}}, {}}},
             m_clock.now());
}

void Node::watchSignals()
{
    m_signals =
        m_loop.watchSignals(signalsToHandle(m_options.spec.signalsToHandle, m_options.ignoreHangup),
                            [this](int signal) {
                                m_front.signalled(signal);
                                m_agent->signalled(signal);
                            });
}

void Node::scheduleHousekeeping()
{
    m_housekeeping = m_loop.callAfter(HousekeepingDelay, [this] {
        removeStaleControlSockets(m_socket.parent_path());
        m_housekeeper->keepHouse(RunCatalog(m_runs), m_options.retention);
    });
}

void Node::emit(const EventBody& body, const Moment& at)
{
    const auto* state = std::get_if<RunStateChanged>(&body);
    if (m_ledgers && state != nullptr && isFinal(state->state)) {
        m_ledgers->settle();
        m_inbox.runAll();
    }
    // Whoever hears of the end finds the whole log in the file.
    if (m_leadConnection && state != nullptr && isFinal(state->state))
        (void)m_writer->flush();
    if (m_lesson)
        m_lesson->seen(body);
    Event event = m_numbering->next(body, at);
    event.runSequence = event.id.sequence; // this agent leads: its numbers are the run's
    if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        m_outputRecorder->attemptStarted(*attempt);
    tellLedgers(body);
    if (const auto* worker = std::get_if<WorkerStateChanged>(&body);
        worker != nullptr && worker->state == WorkerState::Failed)
        m_devices->lookNow();
    m_times.seen(body, at);
    m_snapshot.apply(event);
    if (std::holds_alternative<Verdict>(body))
        m_reminder.verdictsChanged();
    m_control->publish(event);
    m_front.happened(event);
    if (std::holds_alternative<RunStateChanged>(body) ||
        std::holds_alternative<AttemptStarted>(body) || std::holds_alternative<RunStarted>(body))
        m_housekeeper->summarise(m_snapshot);
    const auto problems = m_calibration.happened(event);
    m_writer->append(std::move(event));
    for (const Message& problem : problems)
        emit(Notice{.severity = Notice::Severity::Warning, .message = problem}, m_clock.now());
}

void Node::outputLost(int globalRank, const OutputLoss& loss)
{
    emit(Notice{.severity = Notice::Severity::Warning,
                .globalRank = globalRank,
                .message = loss.error},
         m_clock.now());
}

void Node::recordTroubled(const Message& trouble)
{
    emit(Notice{.severity = Notice::Severity::Warning, .message = trouble}, m_clock.now());
}

void Node::finished(RunState /*state*/, int exitCode)
{
    m_exitCode = exitCode;
    m_front.ended();
    if (m_leadConnection)
        m_leadConnection->finish([this] { m_loop.stop(); });
    else
        m_loop.stop();
}

void Node::finishRecord()
{
    closeParts();
    m_recorded.reset(); // a reader keeps the file's journal
    if (const auto finished = m_writer->finish(); !finished)
        m_front.printed("ringmaster: " + describe(finished.error()) + "\n");
    m_housekeeper->finish(m_snapshot, m_writer->unrecorded(), RunCatalog(m_runs),
                          m_options.retention);
    m_signals.cancel(); // a second Ctrl+C would cut the record short
}

} // namespace ringmaster
