#include "engine/node/RunRecorder.h"

#include "engine/base/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/base/Version.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlSocket.h"
#include "engine/record/PrivateRecord.h"

#include <unistd.h>

namespace ringmaster {

RunRecorder::RunRecorder(EventLoop& loop, RunFront& front, const JobSpec& calibrated)
    : m_loop(loop)
    , m_front(front)
    , m_calibration(calibrated)
    , m_reminder(loop, m_clock, m_snapshot,
                 [this](const StandingVerdict& verdict, std::int64_t nowNs) {
                     m_front.reminded(verdict, nowNs);
                 })
{
}

RunRecorder::~RunRecorder() = default;

Result<AgentRecord> RunRecorder::plan()
{
    const auto self = identityOf(::getpid());
    if (!self)
        return fail(code::FileNotReadable, {{"path", "/proc/self/stat"}});
    m_socket = RM_TRY(runtimeFolder()) / controlSocketName(*self);
    return AgentRecord::current(m_socket);
}

Result<void> RunRecorder::open(RunFolder folder, const std::filesystem::path& learntModules)
{
    m_folder = std::move(folder);
    const auto troubled = [this](const Message& trouble) {
        m_loop.post([this, trouble] {
            emit(Notice{.severity = Notice::Severity::Warning, .message = trouble});
        });
    };
    m_writer = RM_TRY(
        RunFileWriter::open(m_folder->runFile(), {.run = m_folder->id(), .onTrouble = troubled}));
    m_housekeeper = std::make_unique<RunHousekeeper>(*m_folder, learntModules);
    m_recorded = std::make_unique<RecordedRun>(*m_folder, m_rankActivities, m_writer.get());
    return {};
}

void RunRecorder::number(EventNumbering::Origin origin)
{
    m_numbering.emplace(std::move(origin));
}

void RunRecorder::number(EventNumbering::Origin origin, std::uint64_t last,
                         const RunSnapshot& snapshot)
{
    m_numbering.emplace(std::move(origin), last);
    m_runSequence = snapshot.lastSequence;
    m_snapshot = snapshot;
}

Result<void> RunRecorder::serve(ControlServer::Host& host, const std::string& machine,
                                const InheritedSecrets& secrets)
{
    m_control = std::make_unique<ControlServer>(
        m_loop, host, *m_recorded,
        ControlServer::Options{
            .run = m_folder->id(), .machine = machine, .secrets = secrets, .before = m_snapshot});
    RM_TRY(m_control->listen(m_socket.parent_path()));
    return {};
}

Result<void> RunRecorder::serve(NodeOptions::Channel& pipes)
{
    m_channel =
        RM_TRY(pipes.isBegun ? ByteChannel::carry(std::move(pipes.input), std::move(pipes.output))
                             : ByteChannel::serve(std::move(pipes.input), std::move(pipes.output)));
    m_control->serve(m_channel->takeSocket());
    return {};
}

void RunRecorder::serveMetrics(int port)
{
    const auto served = m_control->serveMetrics(port);
    if (served)
        emit(Notice{.message = {code::MetricsAt, {{"port", std::to_string(*served)}}, {}}});
    else
        emit(Notice{.severity = Notice::Severity::Warning, .message = served.error()});
}

RunStarted RunRecorder::begin(const NodeOptions& options, std::string jobFile)
{
    // Without it a shared log may show what the launcher's own environment held.
    (void)PrivateRecord(m_folder->path()).keepInherited(inheritedSecrets(options.environment));
    return {.jobFile = std::move(jobFile),
            .name = options.spec.displayName(),
            .torchrunLine = options.torchrunLine,
            .runFolder = m_folder->path(),
            .workingFolder = options.workingFolder,
            .ringmasterVersion = RINGMASTER_VERSION,
            .agentPid = ::getpid(),
            .detached = options.isDetached,
            .maxRestarts = options.spec.restart.maxRestarts};
}

void RunRecorder::emit(const EventBody& body, const Moment& at)
{
    if (m_hasEnded)
        return dropped(body);
    EventBody observed = body;
    for (const Observer& observe : m_observers)
        observe(observed, at);
    const auto* state = std::get_if<RunStateChanged>(&observed);
    m_hasEnded = m_hasEnded || (state != nullptr && isFinal(state->state));
    record(m_numbering->next(std::move(observed), at));
}

void RunRecorder::keep(Event event)
{
    if (m_hasEnded)
        return dropped(event.body);
    for (const Observer& observe : m_observers)
        observe(event.body, event.at);
    record(std::move(event));
}

/// What an agent that waits for its lead's farewell has to say, its log is for.
void RunRecorder::dropped(const EventBody& body)
{
    if (const auto* notice = std::get_if<Notice>(&body))
        log::info("node", "after the end of the run: " + describe(notice->message));
}

void RunRecorder::record(Event event)
{
    event.runSequence = ++m_runSequence;
    m_snapshot.apply(event);
    const EventBody& body = event.body;
    const bool isOtherHealth =
        !isSample(body) && std::exchange(m_health, healthOf(m_snapshot)) != m_health;
    if (std::holds_alternative<Verdict>(body))
        m_reminder.verdictsChanged();
    if (isFinal(m_snapshot.state))
        m_recorded->runEnds();
    m_control->publish(event);
    m_front.happened(event);
    if (isOtherHealth || std::holds_alternative<RunStateChanged>(body) ||
        std::holds_alternative<AttemptStarted>(body) || std::holds_alternative<RunStarted>(body))
        m_housekeeper->summarise(m_snapshot);
    const std::vector<Message> problems = m_calibration.happened(event);
    m_writer->append(std::move(event));
    for (const Message& problem : problems)
        emit(Notice{.severity = Notice::Severity::Warning, .message = problem});
}

void RunRecorder::finish(const RunCatalog& catalog, const RunCatalog::Retention& retention)
{
    m_recorded.reset(); // a reader keeps the file's journal
    if (const auto finished = m_writer->finish(); !finished)
        m_front.printed("ringmaster: " + describe(finished.error()) + "\n");
    m_housekeeper->finish(m_snapshot, m_writer->unrecorded(), catalog, retention);
}

void RunRecorder::discard(bool isNew)
{
    m_control.reset();
    m_housekeeper.reset();
    m_writer.reset();
    std::error_code ignored;
    if (m_folder && isNew)
        std::filesystem::remove_all(m_folder->path(), ignored);
}

} // namespace ringmaster
