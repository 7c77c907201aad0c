#pragma once

#include "engine/worker/output/FileWatcher.h"
#include "engine/worker/output/OutputConsumer.h"

#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// Reads one stream of one worker and hands it to its consumers. Pauses for them. Lives on the
/// output thread.
class OutputSource
{
public:
    using Done = std::function<void()>;
    using Consumers = std::vector<std::unique_ptr<OutputConsumer>>;

    explicit OutputSource(Consumers consumers) : m_consumers(std::move(consumers)) {}
    virtual ~OutputSource() = default;
    OutputSource(const OutputSource&) = delete;
    OutputSource& operator=(const OutputSource&) = delete;

    /// The worker has exited: reads what it wrote, without waiting for others who have the stream
    /// too. `done` once.
    virtual void drain(Done done) = 0;

    /// Nobody is left who could write: reads to the end.
    virtual void close(Done done) = 0;

    /// After a pause.
    virtual void resume() = 0;

protected:
    static constexpr std::size_t ReadBytes = 64U << 10U;

    void hand(std::string_view bytes);
    void end();
    bool isAnyFull() const;
    bool isAnyBehind() const;
    bool hasEnded() const { return m_hasEnded; }

private:
    Consumers m_consumers;
    bool m_hasEnded = false;
};

/// The agent's end of a pipe or of a pseudo-terminal.
class StreamSource : public OutputSource
{
public:
    StreamSource(EventLoop& loop, FileDescriptor descriptor, Consumers consumers);

    void drain(Done done) override;
    void close(Done done) override;
    void resume() override;
    int descriptor() const { return m_descriptor.get(); } ///< -1: ended.

private:
    void readOnce();
    bool readSome();
    void readWhatIsThere();
    void tellDrained();
    void finish();

    EventLoop& m_loop;
    FileDescriptor m_descriptor;
    bool m_isTerminal = false;
    std::vector<Done> m_whenDrained;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_quiet;
};

/// Follows a file that the worker writes itself, and waits for a reader as long as he likes.
class FileSource : public OutputSource
{
public:
    FileSource(EventLoop& loop, FileWatcher& watcher, const std::filesystem::path& path,
               Consumers consumers);

    void drain(Done done) override;
    void close(Done done) override;
    void resume() override;
    /// From now on it waits for nobody.
    void hurry();

private:
    bool mustPause() const { return !m_isHurried && isAnyFull(); }
    void readSome();
    void schedule();

    EventLoop& m_loop;
    FileDescriptor m_file;
    off_t m_offset = 0;
    std::vector<Done> m_atEnd;
    bool m_isClosing = false;
    bool m_isHurried = false;
    EventLoop::Registration m_next;
    std::optional<FileWatcher::Watch> m_watch;
};

} // namespace ringmaster
