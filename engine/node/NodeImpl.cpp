#include "engine/node/NodeImpl.h"

#include "engine/agent/KeptProcesses.h"
#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/base/Paths.h"
#include "engine/control/ControlSocket.h"
#include "engine/event/States.h"
#include "engine/job/JobFile.h"
#include "engine/job/SystemSurroundings.h"
#include "engine/job/TorchrunLine.h"
#include "engine/node/JobRendezvous.h"
#include "engine/rendezvous/LocalAddresses.h"
#include "engine/worker/Subreaper.h"

#include <unistd.h>

namespace ringmaster {

namespace {

std::string variable(const std::map<std::string, std::string>& environment, const char* name)
{
    const auto found = environment.find(name);
    return found != environment.end() ? found->second : std::string();
}

} // namespace

Node::Impl::Impl(Options options, Front& front)
    : m_options(std::move(options))
    , m_front(front)
    , m_rendezvous(rendezvousOptionsOf(m_options.job, m_options.environment))
    , m_token(randomToken(20))
{
    if (m_options.runs.empty())
        m_options.runs = runsFolder();
}

Node::Impl::~Impl() = default;

Result<void> Node::Impl::prepare()
{
    RM_TRY(becomeSubreaper());
    RM_TRY(makeRunFolder());
    RM_TRY(openRecord());
    RM_TRY(openOutput());
    RM_TRY(openControl());
    RM_TRY(makeAgent());
    return {};
}

Result<void> Node::Impl::makeRunFolder()
{
    RM_TRY(makeFolder(m_options.runs));
    const auto process = identityOf(getpid());
    const std::filesystem::path socket = m_options.servesSocket
                                             ? RM_TRY(runtimeFolder()) / controlSocketName(*process)
                                             : std::filesystem::path();
    m_folder = RM_TRY(RunFolder::create(m_options.runs, m_options.job.displayName(),
                                        AgentRecord::current(socket), m_clock.now()));
    runId = m_folder->id();
    runFolder = m_folder->path();
    log::toFile(m_folder->agentLog());
    return {};
}

Result<void> Node::Impl::openRecord()
{
    RunFileWriter::Options options;
    options.run = runId;
    options.onTrouble = [this](const Message& trouble) {
        m_loop.post([this, trouble] {
            emit(Notice{.severity = trouble.code == Code::RecordResumed ? Notice::Severity::Info
                                                                        : Notice::Severity::Error,
                        .message = trouble},
                 m_clock.now());
        });
    };
    m_record = RM_TRY(RunFileWriter::open(m_folder->runFile(), std::move(options)));
    m_numbering.emplace(EventNumbering::Origin{
        .run = runId, .agent = "0", .node = shortHostName(), .clock = clockId()});
    m_files.emplace("rm-files");
    return {};
}

Result<void> Node::Impl::openOutput()
{
    m_index.emplace(*m_record, [this](Notice notice) {
        m_loop.post([this, notice = std::move(notice)] { emit(notice, m_clock.now()); });
    });
    OutputHub::Settings settings;
    settings.logs = m_options.job.logs;
    settings.rendezvousId = m_rendezvous.settings.id;
    settings.runFolder = runFolder;
    settings.linePrefixTemplate =
        variable(m_options.environment, "TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE");
    if (m_options.detached)
        settings.consoleOutput = settings.consoleError = -1;
    m_output = RM_TRY(OutputHub::create(m_loop, *m_index, std::move(settings)));
    return {};
}

Result<void> Node::Impl::openControl()
{
    m_recording.emplace(m_folder->runFile());
    m_control.emplace(m_loop, *this, *m_recording, ControlServer::Options{.run = runId});
    if (m_options.servesSocket)
        RM_TRY(m_control->listen(RM_TRY(runtimeFolder())));
    return {};
}

Result<void> Node::Impl::makeAgent()
{
    AgentOptions options;
    options.hostName = fullHostName();
    options.token = m_options.job.plain ? std::string() : m_token;
    options.ignoreHangup = isHangupIgnored();
    options.environment = m_options.environment;
    const SystemSurroundings machine(m_options.environment, m_options.workingFolder);
    for (const Role& role : m_options.job.roles)
        options.workers.push_back(RM_TRY(resolveWorkers(role.workers, machine.counts())));
    // A rendezvous that can't be made is known now, not when the agent has begun.
    struct Deaf : Rendezvous::Host
    {
        void rendezvousJoined(const Round&) override {}
        void rendezvousFailed(const Error&) override {}
        void rendezvousMembershipChanged(const Message&) override {}
        void rendezvousClosed(const Message&) override {}
    } deaf;
    RM_TRY(makeRendezvous(m_rendezvous, m_loop, deaf));
    m_agent = std::make_unique<Agent>(
        m_options.job, std::move(options),
        Agent::Parts{
            .loop = m_loop,
            .clock = m_clock,
            .events = *this,
            .host = *this,
            .rendezvous = [this](Rendezvous::Host& host) { return makeJobRendezvous(host); },
            .processes = [this](WorkerProcesses::Host& host) { return makeProcesses(host); }});
    return {};
}

std::unique_ptr<Rendezvous> Node::Impl::makeJobRendezvous(Rendezvous::Host& host)
{
    return makeRendezvous(m_rendezvous, m_loop, host).value();
}

std::unique_ptr<WorkerProcesses> Node::Impl::makeProcesses(WorkerProcesses::Host& host)
{
    Keeper::Options options;
    options.title = runId;
    options.environment = {"RINGMASTER_RUN=" + m_token};
    return std::make_unique<KeptProcesses>(m_loop, host, *m_output, std::move(options));
}

int Node::Impl::run()
{
    watchSignals();
    announceRun();
    m_loop.post([this] { m_agent->start(); });
    m_loop.run();
    closeRecord();
    return m_exitCode;
}

void Node::Impl::watchSignals()
{
    std::vector<int> signals;
    for (const std::string& name : m_options.job.signalsToHandle) {
        const auto number = signalFromName(name);
        // nohup's wish is kept: a terminal that closes ends nothing.
        if (number && !(*number == SIGHUP && isHangupIgnored()))
            signals.push_back(*number);
    }
    m_signals = m_loop.watchSignals(signals, [this](int signal) { m_agent->signalled(signal); });
}

void Node::Impl::announceRun()
{
    const auto file = jobFileText(m_options.job);
    emit(RunStarted{.jobFile = file.value_or(std::string()),
                    .name = m_options.job.displayName(),
                    .torchrunLine = toCommandLine(m_options.job).text(),
                    .runFolder = runFolder,
                    .workingFolder = m_options.workingFolder,
                    .ringmasterVersion = RINGMASTER_VERSION,
                    .agentPid = getpid(),
                    .detached = m_options.detached},
         m_clock.now());
    if (file)
        m_files->post([folder = *m_folder, text = *file] {
            (void)writeFileAtomically(folder.jobFile(), text);
        });
}

void Node::Impl::emit(const EventBody& body, const Moment& at)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        m_index->attemptStarted(*attempt);
    Event event = m_numbering->next(body, at);
    event.runSequence =
        m_numbering->last(); // The only agent of its run: its numbers are the run's.
    m_snapshot.apply(event);
    m_record->append(event);
    m_control->publish(event);
    m_front.happened(event);
    if (std::holds_alternative<RunStateChanged>(body) ||
        std::holds_alternative<AttemptStarted>(body) || std::holds_alternative<RunStarted>(body))
        keepSummary();
}

void Node::Impl::keepSummary()
{
    // What the list of runs shows; if it can't be written, the run file is read instead.
    m_files->post(
        [folder = *m_folder, snapshot = m_snapshot] { (void)folder.writeSummary(snapshot); });
}

void Node::Impl::finished(RunState /*state*/, int exitCode)
{
    m_exitCode = exitCode;
    m_loop.stop();
}

void Node::Impl::closeRecord()
{
    m_signals.cancel();
    m_agent.reset();
    m_output.reset();
    const Result<void> kept = m_record->finish();
    if (!kept)
        m_front.printed("ringmaster: " + describe(kept.error()) + "\n");
    m_control.reset();
    (void)m_folder->writeSummary(m_snapshot);
}

} // namespace ringmaster
