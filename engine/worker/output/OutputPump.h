#pragma once

#include "engine/worker/output/LogFolders.h"
#include "engine/worker/output/OutputSource.h"

#include <array>
#include <map>

namespace ringmaster {

/// All streams of a run: decides for each what torchrun's options make of it. Lives on the output
/// thread.
class OutputPump
{
public:
    using Done = std::function<void()>;

    OutputPump(EventLoop& loop, OutputHub::Sink& sink, OutputHub::Settings settings,
               LogFolders folders);
    ~OutputPump();
    OutputPump(const OutputPump&) = delete;
    OutputPump& operator=(const OutputPump&) = delete;

    Result<AttemptOutput> open(const AttemptOutputRequest& request);
    void collect(int localRank, OutputHub::Collected collected);
    void close(const Done& done);
    void finish(Done done);

private:
    static constexpr std::size_t Streams = 2;

    /// One stream of one worker: the log, and where it is tee'd a second reader for the console,
    /// which may lag behind.
    struct Channel
    {
        std::unique_ptr<OutputSource> source{};
        std::unique_ptr<FileSource> tee{};
        StreamSource* stream = nullptr; ///< `source`, where it is a pipe or a terminal.
        const KeptOutput* kept = nullptr;
    };

    struct Worker
    {
        std::array<Channel, Streams> channels{};
        std::filesystem::path errorFile{};
    };

    struct Attempt
    {
        AttemptOutputRequest request{};
        LogFolders::Attempt folders{};
        std::array<std::shared_ptr<const FileDescriptor>, Streams> filtered{};
        std::map<int, Worker> workers{};
        bool isClosing = false;
        std::size_t openSources = 0; ///< Counted while closing: what isn't in the logs yet …
        std::size_t openTees = 0;    ///< … and what isn't on the console yet.
    };

    Result<void> openFilteredLogs(Attempt& attempt) const;
    Result<AttemptOutput::Worker> openWorker(Attempt& attempt,
                                             const AttemptOutputRequest::Worker& worker);
    Result<FileDescriptor> openStream(Attempt& attempt, const AttemptOutputRequest::Worker& worker,
                                      OutputStream stream);
    Result<FileDescriptor> openRedirected(const Attempt& attempt,
                                          const AttemptOutputRequest::Worker& worker,
                                          const OutputOrigin& origin, Channel& channel);
    Result<FileDescriptor> openCaptured(const Attempt& attempt, const OutputOrigin& origin,
                                        Channel& channel);
    OutputSource::Consumers teeConsumers(const Attempt& attempt,
                                         const AttemptOutputRequest::Worker& worker,
                                         OutputStream stream);
    bool isShown(int localRank) const; ///< By --local-ranks-filter.
    void resizeTerminals();
    void consoleDrained();
    void forgetShownAttempts();
    void hurryIfStalled();
    void tellIfFinished();

    EventLoop& m_loop;
    OutputHub::Sink& m_sink;
    OutputHub::Settings m_settings;
    LogFolders m_folders;
    FileWatcher m_watcher;
    std::array<Console*, Streams> m_consoles;
    std::vector<std::unique_ptr<Attempt>> m_attempts; ///< Older ones are still being shown.
    std::vector<Done> m_whenFinished;
    EventLoop::Registration m_windowChange;
    EventLoop::Registration m_patience;
};

} // namespace ringmaster
