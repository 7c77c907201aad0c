#include "engine/worker/output/OutputPump.h"

#include "engine/base/Codes.h"
#include "engine/base/PseudoTerminal.h"
#include "engine/job/WorkerCommand.h"
#include "engine/worker/Traceback.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>

namespace ringmaster {

namespace {

constexpr std::array BothStreams{OutputStream::Stdout, OutputStream::Stderr};

std::size_t indexOf(OutputStream stream)
{
    return stream == OutputStream::Stdout ? 0 : 1;
}

std::uint8_t maskOf(OutputStream stream)
{
    return stream == OutputStream::Stdout ? 1 : 2;
}

const char* logNameOf(OutputStream stream)
{
    return stream == OutputStream::Stdout ? "stdout.log" : "stderr.log";
}

Result<FileDescriptor> createLog(const std::filesystem::path& path)
{
    FileDescriptor file(
        open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, LogMode));
    if (!file.isOpen())
        return fail(code::FileNotWritable, {{"path", path.string()}}, errnoText(errno));
    return file;
}

/// A callback that runs `done` when it has been called `count` times.
OutputPump::Done afterAll(int count, OutputPump::Done done)
{
    return [left = std::make_shared<int>(count), done = std::move(done)] {
        if (--*left == 0)
            done();
    };
}

} // namespace

OutputPump::OutputPump(EventLoop& loop, OutputHub::Sink& sink, OutputHub::Settings settings,
                       LogFolders folders)
    : m_loop(loop)
    , m_sink(sink)
    , m_settings(std::move(settings))
    , m_folders(std::move(folders))
    , m_watcher(loop)
    , m_consoles{m_settings.consoles.output, m_settings.consoles.error}
{
    bool hasTerminal = false;
    for (Console* console : m_consoles) {
        if (console == nullptr)
            continue;
        console->setDrained([this] { m_loop.post([this] { consoleDrained(); }); });
        hasTerminal = hasTerminal || console->isTerminal();
    }
    if (hasTerminal)
        m_windowChange = m_loop.watchSignals({SIGWINCH}, [this](int) { resizeTerminals(); });
}

OutputPump::~OutputPump()
{
    for (Console* console : m_consoles)
        if (console != nullptr)
            console->setDrained({});
}

Result<AttemptOutput> OutputPump::open(const AttemptOutputRequest& request)
{
    auto attempt = std::make_unique<Attempt>();
    attempt->request = request;
    attempt->folders = RM_TRY(m_folders.makeAttempt(request.restartCount));
    RM_TRY(openFilteredLogs(*attempt));
    AttemptOutput output;
    output.folder = attempt->folders.logs;
    for (const AttemptOutputRequest::Worker& worker : request.workers)
        output.workers.push_back(RM_TRY(openWorker(*attempt, worker)));
    m_attempts.push_back(std::move(attempt));
    return output;
}

Result<void> OutputPump::openFilteredLogs(Attempt& attempt) const
{
    const std::array patterns{&m_settings.logs.duplicateStdoutFilters,
                              &m_settings.logs.duplicateStderrFilters};
    for (const OutputStream stream : BothStreams) {
        if (patterns[indexOf(stream)]->empty() || m_folders.keepsNothing())
            continue;
        const auto path = attempt.folders.logs / (std::string("filtered_") + logNameOf(stream));
        attempt.filtered[indexOf(stream)] =
            std::make_shared<const FileDescriptor>(RM_TRY(createLog(path)));
    }
    return {};
}

Result<AttemptOutput::Worker> OutputPump::openWorker(Attempt& attempt,
                                                     const AttemptOutputRequest::Worker& worker)
{
    AttemptOutput::Worker output;
    output.localRank = worker.localRank;
    if (!m_folders.keepsNothing()) {
        output.logFolder = RM_TRY(makeRankFolder(attempt.folders.logs, worker.localRank));
        output.errorFile = output.logFolder / "error.json";
        // If it can't be made, the loss is reported when there is something to lose.
        (void)makeRankFolder(attempt.folders.capture, worker.localRank);
    }
    attempt.workers[worker.localRank].errorFile = output.errorFile;
    output.standardOutput = RM_TRY(openStream(attempt, worker, OutputStream::Stdout));
    output.standardError = RM_TRY(openStream(attempt, worker, OutputStream::Stderr));
    struct stat info
    {
    };
    output.pipesOutput = fstat(output.standardOutput.get(), &info) == 0 && S_ISFIFO(info.st_mode);
    return output;
}

Result<FileDescriptor> OutputPump::openStream(Attempt& attempt,
                                              const AttemptOutputRequest::Worker& worker,
                                              OutputStream stream)
{
    Channel& channel = attempt.workers[worker.localRank].channels[indexOf(stream)];
    const LogSpec& logs = m_settings.logs;
    const int redirected = logs.redirects.of(worker.localRank) | logs.tee.of(worker.localRank);
    const bool isRedirected = (redirected & maskOf(stream)) != 0 && !m_folders.keepsNothing();
    const auto& folder = isRedirected ? attempt.folders.logs : attempt.folders.capture;
    OutputOrigin origin{attempt.request.attempt, worker.localRank, stream};
    if (!folder.empty())
        origin.file = folder / std::to_string(worker.localRank) / logNameOf(stream);
    return isRedirected ? openRedirected(attempt, worker, origin, channel)
                        : openCaptured(attempt, origin, channel);
}

Result<FileDescriptor> OutputPump::openRedirected(const Attempt& attempt,
                                                  const AttemptOutputRequest::Worker& worker,
                                                  const OutputOrigin& origin, Channel& channel)
{
    FileDescriptor file = RM_TRY(createLog(origin.file));
    auto kept = std::make_unique<KeptOutput>(origin, KeptOutput::Capture::No, m_sink);
    channel.kept = kept.get();
    OutputSource::Consumers consumers;
    consumers.push_back(std::move(kept));
    channel.source =
        std::make_unique<FileSource>(m_loop, m_watcher, origin.file, std::move(consumers));
    const bool isTeed = (m_settings.logs.tee.of(origin.localRank) & maskOf(origin.stream)) != 0;
    if (isTeed && isShown(origin.localRank))
        channel.tee = std::make_unique<FileSource>(m_loop, m_watcher, origin.file,
                                                   teeConsumers(attempt, worker, origin.stream));
    return file;
}

OutputSource::Consumers OutputPump::teeConsumers(const Attempt& attempt,
                                                 const AttemptOutputRequest::Worker& worker,
                                                 OutputStream stream)
{
    const std::string& text = m_settings.linePrefixTemplate;
    const std::string prefix = logLinePrefix(worker.role, worker.localRank, worker.globalRank,
                                             text.empty() ? std::nullopt : std::optional(text));
    OutputSource::Consumers consumers;
    if (Console* console = m_consoles[indexOf(stream)])
        consumers.push_back(std::make_unique<PrefixedOnConsole>(m_loop, *console, prefix));
    if (const auto& file = attempt.filtered[indexOf(stream)]) {
        const LogSpec& logs = m_settings.logs;
        consumers.push_back(std::make_unique<FilteredLog>(file,
                                                          stream == OutputStream::Stdout
                                                              ? logs.duplicateStdoutFilters
                                                              : logs.duplicateStderrFilters,
                                                          prefix));
    }
    return consumers;
}

Result<FileDescriptor> OutputPump::openCaptured(const Attempt& attempt, const OutputOrigin& origin,
                                                Channel& channel)
{
    Console* console = m_consoles[indexOf(origin.stream)];
    if (!isShown(origin.localRank))
        console = nullptr;
    auto kept = std::make_unique<KeptOutput>(origin, KeptOutput::Capture::Yes, m_sink);
    channel.kept = kept.get();
    OutputSource::Consumers consumers;
    consumers.push_back(std::move(kept));
    if (console != nullptr && attempt.request.workers.size() == 1)
        consumers.push_back(std::make_unique<CopiedToConsole>(*console));
    else if (console != nullptr)
        consumers.push_back(std::make_unique<LinesOnConsole>(m_loop, *console));
    FileDescriptor ours;
    FileDescriptor theirs;
    if (console != nullptr && console->isTerminal()) {
        PseudoTerminal terminal = RM_TRY(openPseudoTerminal());
        copyTerminalSize(console->descriptor(), terminal.master.get());
        ours = std::move(terminal.master);
        theirs = std::move(terminal.slave);
    } else {
        Pipe pipe = RM_TRY(makePipe());
        ours = std::move(pipe.readEnd);
        theirs = std::move(pipe.writeEnd);
    }
    RM_TRY(setNonBlocking(ours.get()));
    auto source = std::make_unique<StreamSource>(m_loop, std::move(ours), std::move(consumers));
    channel.stream = source.get();
    channel.source = std::move(source);
    return theirs;
}

bool OutputPump::isShown(int localRank) const
{
    const std::vector<int>& filter = m_settings.logs.localRanksFilter;
    return filter.empty() || m_folders.keepsNothing() ||
           std::find(filter.begin(), filter.end(), localRank) != filter.end();
}

void OutputPump::collect(int localRank, OutputHub::Collected collected)
{
    Attempt* attempt = m_attempts.empty() ? nullptr : m_attempts.back().get();
    if (attempt == nullptr || attempt->workers.count(localRank) == 0) {
        collected({.localRank = localRank});
        return;
    }
    Worker& worker = attempt->workers[localRank];
    const Done both = afterAll(Streams, [&worker, localRank, collected = std::move(collected)] {
        WorkerExitReport exitReport{.localRank = localRank,
                                    .error = readErrorFile(worker.errorFile),
                                    .stderrTail = std::string(worker.channels.back().kept->tail()),
                                    .stdoutTail =
                                        std::string(worker.channels.front().kept->tail())};
        if (!exitReport.error)
            exitReport.traceback = lastTraceback(exitReport.stderrTail);
        collected(exitReport);
    });
    for (Channel& channel : worker.channels)
        channel.source->drain(both);
}

void OutputPump::close(const Done& done)
{
    Attempt* attempt = m_attempts.empty() ? nullptr : m_attempts.back().get();
    if (attempt == nullptr || attempt->isClosing || attempt->workers.empty()) {
        done();
        return;
    }
    attempt->isClosing = true;
    std::vector<OutputSource*> sources;
    std::vector<OutputSource*> tees;
    for (auto& [localRank, worker] : attempt->workers) {
        for (Channel& channel : worker.channels) {
            sources.push_back(channel.source.get());
            if (channel.tee)
                tees.push_back(channel.tee.get());
        }
    }
    attempt->openSources = sources.size();
    attempt->openTees = tees.size();
    // Told in the loop's next turn: then the sources may be forgotten.
    const auto told = [this](const Done& task) { m_loop.post(task); };
    for (OutputSource* source : sources)
        source->close([=, this] {
            if (--attempt->openSources == 0)
                told([this, done] {
                    done();
                    forgetShownAttempts();
                });
        });
    for (OutputSource* tee : tees)
        tee->close([=, this] {
            if (--attempt->openTees == 0)
                told([this] { forgetShownAttempts(); });
        });
}

void OutputPump::forgetShownAttempts()
{
    std::erase_if(m_attempts, [](const std::unique_ptr<Attempt>& attempt) {
        return attempt->isClosing && attempt->openSources == 0 && attempt->openTees == 0;
    });
    tellIfFinished();
}

void OutputPump::finish(Done done)
{
    m_whenFinished.push_back(std::move(done));
    close([] {});
    m_loop.post([this] { forgetShownAttempts(); });
    m_patience = m_loop.callAfter(Console::Stall, [this] { hurryIfStalled(); });
}

/// The run is over: nobody waits for a reader who has paused. What the console doesn't hold it
/// leaves out, and says so.
void OutputPump::hurryIfStalled()
{
    if (m_attempts.empty())
        return;
    m_patience = m_loop.callAfter(Console::Stall / 4, [this] { hurryIfStalled(); });
    const bool isStalled = std::ranges::any_of(m_consoles, [](const Console* console) {
        return console != nullptr && console->isFull() && console->isStalled();
    });
    if (!isStalled)
        return;
    for (const auto& attempt : m_attempts)
        for (auto& [localRank, worker] : attempt->workers)
            for (const Channel& channel : worker.channels)
                if (channel.tee)
                    channel.tee->hurry();
}

void OutputPump::tellIfFinished()
{
    if (!m_attempts.empty())
        return;
    for (const Done& done : std::exchange(m_whenFinished, {}))
        done();
}

void OutputPump::consoleDrained()
{
    for (const auto& attempt : m_attempts) {
        for (auto& [localRank, worker] : attempt->workers) {
            for (Channel& channel : worker.channels) {
                channel.source->resume();
                if (channel.tee)
                    channel.tee->resume();
            }
        }
    }
}

void OutputPump::resizeTerminals()
{
    if (m_attempts.empty())
        return;
    for (auto& [localRank, worker] : m_attempts.back()->workers) {
        for (std::size_t i = 0; i < Streams; ++i) {
            const StreamSource* stream = worker.channels[i].stream;
            if (stream != nullptr && stream->descriptor() >= 0 && m_consoles[i])
                copyTerminalSize(m_consoles[i]->descriptor(), stream->descriptor());
        }
    }
}

} // namespace ringmaster
