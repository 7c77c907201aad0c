#include "engine/node/Node.h"

#include "engine/agent/KeeperWorkerProcesses.h"
#include "engine/base/ControlGroup.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/Thread.h"
#include "engine/control/ControlSocket.h"
#include "engine/job/JobFile.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/AgentSetup.h"
#include "engine/node/Codes.h"
#include "engine/node/EvidenceRecorder.h"
#include "engine/node/LeadFence.h"
#include "engine/node/RendezvousChoice.h"
#include "engine/node/Signals.h"
#include "engine/record/Secrets.h"
#include "engine/worker/Subreaper.h"
#include "engine/worker/hook/StartHook.h"

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Old runs are looked at when this one has got going.
constexpr auto HousekeepingDelay = 1s;
constexpr auto RulesInterval = 250ms;

} // namespace

Node::Node(NodeOptions options, RunFront& front)
    : m_options(std::move(options))
    , m_front(front)
    , m_runs(m_options.runs.empty() ? runsFolder() : m_options.runs)
    // Of several hosts their lead knows.
    , m_record(m_loop, front, m_options.order ? JobSpec() : m_options.spec)
    , m_stopRules(m_options.spec)
{
    m_record.observe([this](const EventBody& body, const Moment& at) {
        m_stopRules.happened(body, at.monotonicNs);
    });
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
    // Of a job on several hosts its lead keeps them.
    if (!m_options.order && !m_stopRules.isEmpty()) {
        m_stopRules.begin(m_clock.now().monotonicNs);
        lookAtRules();
    }
    m_agent->start();
    m_loop.run();
    finishRecord();
    return m_exitCode;
}

Result<void> Node::prepare()
{
    RM_TRY(becomeSubreaper());
    RM_TRY(openRunFolder());
    RM_TRY(openRecording());
    RM_TRY(openLesson());
    RM_TRY(makeAgent());
    openDrills();
    return openControl();
}

/// Nothing was started, so there is no run.
void Node::discard()
{
    closeParts();
    m_record.discard(true);
}

/// Each before what it uses; what records the run stays.
void Node::closeParts()
{
    const bool isOutputStuck = m_recording && m_recording->output().isStuck();
    m_leadConnection.reset();
    m_drills.reset();
    if (m_recording)
        m_recording->stopLooking();
    m_agent.reset();
    m_images.reset();
    m_lesson.reset();
    if (!isOutputStuck) // its end would be waited for
        m_recording.reset();
    m_record.stopServing();
    m_control.reset();
}

Result<void> Node::openRunFolder()
{
    AgentRecord agent = RM_TRY(m_record.plan());
    if (m_options.spec.isStandalone())
        m_options.spec.rendezvous.id = randomRunId();
    const auto& order = m_options.order;
    std::optional<LeadFence> fence;
    if (order) {
        agent.generation = order->generation;
        RM_TRY(fence.emplace(m_runs, *order).claim());
    }
    // One of several on a machine: their folders, and what is found by the run's token, differ.
    RunFolder folder =
        order
            ? RM_TRY(RunFolder::createNamed(m_runs, order->run + "." + order->agent, agent))
            : RM_TRY(RunFolder::create(m_runs, m_options.spec.displayName(), agent, m_clock.now()));
    if (m_options.isDetached)
        log::toFile(folder.agentLog());
    m_record.number({.run = order ? order->run : folder.id(),
                     .agent = order ? order->agent : "0",
                     .node = shortHostName(),
                     .clock = clockId()});
    RM_TRY(m_record.open(std::move(folder), learntModulesOf(m_options)));
    return fence ? fence->claim() : Result<void>();
}

Result<void> Node::makeAgent()
{
    const JobSpec& spec = m_options.spec;
    AgentOptions options = RM_TRY(agentOptionsOf(m_options, m_record.folder()));
    if (m_recording->operations() != nullptr)
        options.hookFolder = hookStartFolder().value_or("").string();
    options.hook = [this](int localRank) { return hookOf(localRank); };
    const RendezvousOptions rendezvous = RM_TRY(rendezvousOf(spec, m_options.environment));
    if (m_options.order)
        m_leadConnection = std::make_unique<LeadConnection>(
            m_loop, *m_options.order,
            CoordinatedRendezvous::Options{.shareStore = rendezvous.shareStore},
            static_cast<LeadConnection::Host&>(*this));
    Agent::Parts parts{
        .loop = m_loop,
        .clock = m_clock,
        .events = m_record,
        .host = *this,
        .rendezvous = [this,
                       rendezvous](Rendezvous::Host& host) { return joinable(rendezvous, host); },
        .processes = [this](WorkerProcesses::Host& host) { return makeProcesses(host); }};
    // A lesson's ranks are held on purpose.
    if (!m_lesson)
        parts.examine = [this](const Message& why, Agent::Ending ending,
                               std::function<void()> done) {
            m_recording->evidence().examine(why, ending, std::move(done));
        };
    if (needsImages(spec))
        parts.prepare = [this](ImageFetch::Done done) { fetchImages(std::move(done)); };
    m_agent = std::make_unique<Agent>(spec, std::move(options), std::move(parts));
    return {};
}

void Node::announce()
{
    m_record.emit(m_record.begin(m_options, jobFileText(m_options.spec).value_or("")));
    if (m_lesson)
        m_record.emit(m_lesson->started(m_options.spec));
    m_front.opened(m_record.folder());
    // Of several hosts their lead serves them.
    if (m_options.spec.metricsPort && !m_options.order)
        m_control->serveMetrics(*m_options.spec.metricsPort);
    if (m_recording->operations() != nullptr && !hookStartFolder())
        m_record.emit(
            Notice{.severity = Notice::Severity::Warning,
                   .message = {code::HookMissing, {{"path", executableFolder().string()}}, {}}});
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
        removeStaleControlSockets(m_record.runtime());
        m_record.housekeeper().keepHouse(RunCatalog(m_runs), m_options.retention);
    });
}

void Node::lookAtRules()
{
    m_rules = m_loop.callAfter(RulesInterval, [this] { lookAtRules(); });
    if (const RunState state = m_agent->state(); state == RunState::Stopping || isFinal(state))
        return;
    const auto due = m_stopRules.due(m_clock.now().monotonicNs);
    if (!due)
        return;
    m_record.emit(Notice{.severity = Notice::Severity::Warning, .message = *due});
    m_agent->abort({*due, {}});
}

void Node::finished(RunState /*state*/, int exitCode)
{
    m_exitCode = m_drills ? m_drills->exitCode(exitCode) : exitCode;
    m_front.ended();
    if (m_leadConnection)
        m_leadConnection->finish([this] { m_loop.stop(); });
    else
        m_loop.stop();
}

void Node::finishRecord()
{
    EndLimit& limit =
        m_endLimit.emplace(EndLimit::Setting{.exitCode = m_exitCode,
                                             .tell = [this](const auto& text) { printed(text); },
                                             .consoles = m_options.consoles});
    limit.awaits(m_record.folder().path());
    closeParts();
    limit.awaits(m_record.folder().path());
    m_record.finish(RunCatalog(m_runs), m_options.retention);
    m_signals.cancel(); // a second Ctrl+C would cut the record short
    if (!m_recording)
        return;
    const auto& logs = m_recording->output().logFolder();
    limit.endNow(logs.empty() ? m_record.folder().path() : logs);
}

Result<void> Node::openRecording()
{
    m_recording =
        RM_TRY(NodeRecording::open({.loop = m_loop,
                                    .inbox = m_inbox,
                                    .options = m_options,
                                    .record = m_record,
                                    .deviceFailed = [this](const DeviceSampler::Fault& fault) {
                                        if (m_agent)
                                            m_agent->deviceFailed(fault.what, fault.pids);
                                    }}));
    m_record.observe(
        [this](const EventBody& body, const Moment& at) { m_recording->happened(body, at); });
    return {};
}

void Node::openDrills()
{
    if (m_options.order)
        return;
    m_drills = std::make_unique<DrillDriver>(
        m_loop,
        DrillDriver::Host{
            .run = [this]() -> const RunSnapshot& { return m_record.snapshot(); },
            .disturb = [this](const BeginDrill& drill) { return m_agent->handle(drill); },
            .tell = [this](const Notice& notice) { m_record.emit(notice); },
            .failed = [this](const Error& why) { m_agent->abort(why); },
            .settle = [this] { (void)m_record.writer().flush(); }},
        m_record.folder(), m_options.spec, m_options.drill);
    m_record.observe([this](EventBody& body, const Moment&) {
        m_drills->happened(body);
        auto* state = std::get_if<RunStateChanged>(&body);
        if (state == nullptr || !isFinal(state->state))
            return;
        m_drills->runEnds(state->state);
        // One that was to show that it comes back, and didn't, hasn't succeeded for who asked.
        if (state->state == RunState::Succeeded)
            state->exitCode = m_drills->exitCode(state->exitCode);
    });
}

void Node::fetchImages(ImageFetch::Done done)
{
    m_images = std::make_unique<ImageFetch>(
        m_loop, ImageFetch::Setting{.spec = m_options.spec, .environment = m_options.environment},
        [this](const Notice& notice) { m_record.emit(notice); });
    m_images->start(std::move(done));
}

std::string Node::hookOf(int localRank) const
{
    const OperationRecording* operations = m_recording->operations();
    if (operations == nullptr)
        return {};
    std::vector<HookPart> parts = operations->hookParts(localRank);
    parts.push_back({"times", {}});
    parts.push_back({"groups", {}});
    parts.push_back({"threads", {}});
    if (const auto report = m_record.housekeeper().moduleReport();
        localRank == 0 && !report.empty())
        parts.push_back({"modules", report});
    if (m_lesson)
        parts.push_back(m_lesson->hookPart());
    return hookText(parts, operations->reportFile());
}

Result<void> Node::openLesson()
{
    if (!m_options.lesson)
        return {};
    m_lesson = RM_TRY(LessonHost::open(
        m_loop, {.options = *m_options.lesson,
                 .socket = m_record.folder().path() / "lesson.sock",
                 .endsUnwatched = m_options.isDetached,
                 .emit = [this](const EventBody& body) { m_record.emit(body); },
                 .command = [this](const Command& command) { (void)m_agent->handle(command); }}));
    m_record.observe([this](const EventBody& body, const Moment&) { m_lesson->seen(body); });
    return {};
}

Result<void> Node::openControl()
{
    m_control =
        std::make_unique<NodeControl>(NodeControl::Parts{.record = m_record,
                                                         .agent = *m_agent,
                                                         .evidence = m_recording->evidence(),
                                                         .devices = m_recording->devices(),
                                                         .drills = m_drills.get(),
                                                         .lesson = m_lesson.get(),
                                                         .lead = m_leadConnection.get()});
    RM_TRY(m_record.serve(*m_control, machineLife(), inheritedSecrets(m_options.environment)));
    return m_options.channel ? m_record.serve(*m_options.channel) : Result<void>();
}

Result<std::unique_ptr<Rendezvous>> Node::joinable(const RendezvousOptions& options,
                                                   Rendezvous::Host& host)
{
    if (m_leadConnection)
        return m_leadConnection->makeRendezvous(host);
    return makeRendezvous(options, m_loop, host);
}

std::unique_ptr<WorkerProcesses> Node::makeProcesses(WorkerProcesses::Host& host)
{
    Keeper::Options keeper{.title = m_record.folder().id()};
    // For whoever sweeps after this process and its keeper.
    if (const std::string place = ControlGroup::place(); !place.empty())
        (void)writeFileAtomically(m_record.folder().path() / "cgroup", place, 0600,
                                  Durability::Relaxed);
    if (!m_options.spec.plain)
        keeper.environment.push_back("RINGMASTER_RUN=" + m_record.folder().id());
    return std::make_unique<KeeperWorkerProcesses>(m_loop, std::move(keeper), m_recording->output(),
                                                   host);
}

} // namespace ringmaster
