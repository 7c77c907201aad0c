#pragma once

#include "WorkerFixture.h"
#include "engine/worker/OutputHub.h"

#include <QTemporaryDir>

#include <array>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace ringmaster::test {

inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What the output thread told.
class RecordingSink : public OutputHub::Sink
{
public:
    void outputRead(const OutputChunk& chunk) override
    {
        const std::lock_guard guard(m_mutex);
        std::string& text = m_texts[{chunk.localRank, chunk.stream}];
        m_inOrder = m_inOrder && (!chunk.kept || chunk.offset == text.size());
        text += chunk.bytes;
        m_files.insert(chunk.file);
        m_kept = m_kept && chunk.kept;
    }
    void outputLost(const OutputLoss& loss) override
    {
        const std::lock_guard guard(m_mutex);
        m_losses.push_back(loss);
    }

    std::string text(int localRank, OutputStream stream = OutputStream::Stdout)
    {
        const std::lock_guard guard(m_mutex);
        return m_texts[{localRank, stream}];
    }
    bool inOrder()
    {
        const std::lock_guard guard(m_mutex);
        return m_inOrder;
    }
    bool allKept()
    {
        const std::lock_guard guard(m_mutex);
        return m_kept;
    }
    std::set<std::filesystem::path> files()
    {
        const std::lock_guard guard(m_mutex);
        return m_files;
    }
    std::vector<OutputLoss> losses()
    {
        const std::lock_guard guard(m_mutex);
        return m_losses;
    }

private:
    std::mutex m_mutex;
    std::map<std::pair<int, OutputStream>, std::string> m_texts;
    std::set<std::filesystem::path> m_files;
    std::vector<OutputLoss> m_losses;
    bool m_inOrder = true;
    bool m_kept = true;
};

/// A console that a thread reads, so that it never stalls.
class ReadConsole
{
public:
    explicit ReadConsole(FileDescriptor descriptor)
        : m_descriptor(std::move(descriptor)), m_thread([this] { read(); })
    {
    }
    ~ReadConsole() { m_thread.join(); }
    ReadConsole(const ReadConsole&) = delete;
    ReadConsole& operator=(const ReadConsole&) = delete;

    std::string text()
    {
        const std::lock_guard guard(m_mutex);
        return m_text;
    }

private:
    void read()
    {
        std::array<char, 65536> space;
        for (;;) {
            const ssize_t got = ::read(m_descriptor.get(), space.data(), space.size());
            if (got <= 0)
                return;
            const std::lock_guard guard(m_mutex);
            m_text.append(space.data(), static_cast<std::size_t>(got));
        }
    }

    FileDescriptor m_descriptor;
    std::mutex m_mutex;
    std::string m_text;
    std::thread m_thread;
};

/// A hub and a keeper: runs groups of fake workers as an agent does. Both consoles are files unless
/// a test brings its own descriptors.
class OutputBench
{
public:
    using Words = std::vector<std::string>;

    OutputHub::Settings settings{};
    int consoleOutput = -1; ///< Until open().
    int consoleError = -1;
    EventLoop loop;
    RecordingHost host;
    RecordingSink sink;
    QTemporaryDir folder;
    Keeper keeper{loop, host, {.executable = builtKeeper()}};
    std::array<std::unique_ptr<Console>, 2> consoles; ///< Opened with the hub.
    std::unique_ptr<OutputHub> hub;
    AttemptOutput output;
    std::map<int, WorkerExitReport> exitReport;
    std::optional<Error> error;

    OutputBench()
    {
        settings.runFolder = path("run");
        consoleOutput = ::open(path("console").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        consoleError = ::open(path("errors").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        m_owned = {FileDescriptor(consoleOutput), FileDescriptor(consoleError)};
    }

    void openConsoles()
    {
        consoles = {std::make_unique<Console>(consoleOutput),
                    std::make_unique<Console>(consoleError)};
        settings.consoles = {consoles[0].get(), consoles[1].get()};
    }

    /// With the hub, once all is written.
    void closeConsoles()
    {
        hub.reset();
        for (auto& console : consoles) {
            console->waitUntilWritten(Console::Patience::Endless);
            console.reset();
        }
    }

    bool isConsoleWritten() const
    {
        return consoles[0]->waitUntilWritten(Console::Patience::UntilStalled);
    }

    std::filesystem::path path(const char* name) const
    {
        return folder.filePath(name).toStdString();
    }

    bool open(int workers, int attempt = 0, int restartCount = 0)
    {
        if (!hub) {
            if (!consoles[0])
                openConsoles();
            auto made = OutputHub::create(loop, sink, settings);
            if (!made) {
                error = made.error();
                return false;
            }
            hub = std::move(*made);
        }
        AttemptOutputRequest request{.attempt = attempt, .restartCount = restartCount};
        for (int rank = 0; rank < workers; ++rank)
            request.workers.push_back({rank, 10 + rank, "default"});
        bool answered = false;
        hub->openAttempt(request, [&](Result<AttemptOutput> result) {
            answered = true;
            if (result)
                output = std::move(*result);
            else
                error = result.error();
        });
        return runUntil(loop, [&] { return answered; }) && !error;
    }

    bool start(const std::vector<Words>& commands)
    {
        std::vector<WorkerLaunch> launches;
        for (std::size_t i = 0; i < commands.size(); ++i) {
            launches.push_back(launchOf(static_cast<int>(i), commands[i]));
            launches.back().standardOutput = std::move(output.workers[i].standardOutput);
            launches.back().standardError = std::move(output.workers[i].standardError);
        }
        host.exits.clear();
        return keeper.start(std::move(launches)).has_value();
    }

    bool collect(int workers)
    {
        exitReport.clear();
        for (int rank = 0; rank < workers; ++rank)
            hub->collect(rank,
                         [this](const WorkerExitReport& one) { exitReport[one.localRank] = one; });
        return runUntil(loop,
                        [&] { return exitReport.size() == static_cast<std::size_t>(workers); });
    }

    bool close()
    {
        bool closed = false;
        const int before = host.timesAllGone;
        keeper.killAll();
        return runUntil(loop, [&] { return host.timesAllGone > before; }) &&
               (hub->closeAttempt([&] { closed = true; }), runUntil(loop, [&] { return closed; }));
    }

    bool finish()
    {
        bool finished = false;
        hub->finish([&] { finished = true; });
        return runUntil(loop, [&] { return finished; });
    }

    /// One whole attempt.
    bool run(const std::vector<Words>& commands)
    {
        const int count = static_cast<int>(commands.size());
        return open(count) && start(commands) &&
               runUntil(loop, [&] { return host.exits.size() == commands.size(); }) &&
               collect(count) && close() && finish();
    }

    std::string console() const
    {
        consoles[0]->waitUntilWritten(Console::Patience::Endless);
        return contentOf(path("console"));
    }
    std::string errors() const
    {
        consoles[1]->waitUntilWritten(Console::Patience::Endless);
        return contentOf(path("errors"));
    }
    std::string log(const std::filesystem::path& root, const char* name) const
    {
        return contentOf(root / hub->logFolder().filename() / name);
    }
    std::string captured(const char* name) const { return log(path("run") / "logs", name); }

private:
    std::array<FileDescriptor, 2> m_owned;
};

} // namespace ringmaster::test
