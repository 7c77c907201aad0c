#include "engine/worker/output/OutputSource.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// More than any pipe holds; a bound, in case somebody goes on writing.
constexpr std::size_t MostToDrain = 2U << 20U;

/// What is written to a terminal reaches its other side by a kernel thread, a little later.
constexpr auto TerminalQuiet = 20ms;

} // namespace

void OutputSource::hand(std::string_view bytes)
{
    for (const auto& consumer : m_consumers)
        consumer->consume(bytes);
}

void OutputSource::end()
{
    if (std::exchange(m_hasEnded, true))
        return;
    for (const auto& consumer : m_consumers)
        consumer->end();
}

bool OutputSource::isAnyFull() const
{
    return std::ranges::any_of(m_consumers,
                               [](const auto& consumer) { return consumer->isFull(); });
}

bool OutputSource::isAnyBehind() const
{
    return std::ranges::any_of(m_consumers,
                               [](const auto& consumer) { return consumer->isBehind(); });
}

StreamSource::StreamSource(EventLoop& loop, FileDescriptor descriptor, Consumers consumers)
    : OutputSource(std::move(consumers))
    , m_loop(loop)
    , m_descriptor(std::move(descriptor))
    , m_isTerminal(isatty(m_descriptor.get()) == 1)
{
    resume();
}

void StreamSource::resume()
{
    if (!hasEnded() && !m_readable.isActive() && !isAnyBehind())
        m_readable = m_loop.watchReadable(m_descriptor.get(), [this] { readOnce(); });
}

void StreamSource::readOnce()
{
    (void)readSome(); // Whether more is there, the loop says.
    if (isAnyBehind())
        m_readable.cancel();
}

/// False: nothing is there now, or it has ended.
bool StreamSource::readSome()
{
    std::array<char, ReadBytes> space;
    const ssize_t got = read(m_descriptor.get(), space.data(), space.size());
    if (got > 0) {
        hand({space.data(), static_cast<std::size_t>(got)});
        return true;
    }
    // A pseudo-terminal ends with EIO.
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
        finish();
    return got < 0 && errno == EINTR && !hasEnded();
}

void StreamSource::readWhatIsThere()
{
    for (std::size_t i = 0; i < MostToDrain / ReadBytes && !hasEnded() && readSome(); ++i)
        continue;
}

void StreamSource::drain(Done done)
{
    readWhatIsThere();
    if (hasEnded() || !m_isTerminal) {
        done();
        return;
    }
    m_whenDrained.push_back(std::move(done));
    m_quiet = m_loop.callAfter(TerminalQuiet, [this] {
        readWhatIsThere();
        tellDrained();
    });
}

void StreamSource::tellDrained()
{
    for (const Done& done : std::exchange(m_whenDrained, {}))
        done();
}

void StreamSource::close(Done done)
{
    drain([this, done = std::move(done)] {
        finish();
        done();
    });
}

void StreamSource::finish()
{
    m_readable.cancel();
    m_quiet.cancel();
    m_descriptor.close();
    end();
    // Now, since nothing more comes: this may be gone before the terminal's quiet would be over.
    tellDrained();
}

FileSource::FileSource(EventLoop& loop, FileWatcher& watcher, const std::filesystem::path& path,
                       Consumers consumers)
    : OutputSource(std::move(consumers))
    , m_loop(loop)
    , m_file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY))
{
    m_watch.emplace(watcher, path, [this] { schedule(); });
}

void FileSource::resume()
{
    schedule();
}

void FileSource::hurry()
{
    m_isHurried = true;
    schedule();
}

/// One piece a turn of the loop: a worker that writes without end doesn't keep the others waiting.
void FileSource::schedule()
{
    if (!m_next.isActive() && !hasEnded() && !mustPause())
        m_next = m_loop.callAfter(0ns, [this] { readSome(); });
}

void FileSource::readSome()
{
    std::array<char, ReadBytes> space;
    const ssize_t got = pread(m_file.get(), space.data(), space.size(), m_offset);
    if (got > 0) {
        m_offset += got;
        hand({space.data(), static_cast<std::size_t>(got)});
        schedule();
        return;
    }
    struct stat info
    {
    };
    if (!m_isClosing && fstat(m_file.get(), &info) == 0 && info.st_size < m_offset) {
        m_offset = 0; // Somebody emptied it.
        schedule();
        return;
    }
    if (m_isClosing) {
        m_watch.reset();
        end();
    }
    for (const Done& done : std::exchange(m_atEnd, {}))
        done();
}

void FileSource::drain(Done done)
{
    if (hasEnded()) {
        done();
        return;
    }
    m_atEnd.push_back(std::move(done));
    schedule();
}

void FileSource::close(Done done)
{
    m_isClosing = true;
    drain(std::move(done));
}

} // namespace ringmaster
