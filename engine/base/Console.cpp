#include "engine/base/Console.h"

#include "engine/base/Thread.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr std::size_t BytesAWrite = 64U << 10U;

} // namespace

Console::Console(int descriptor)
    : m_bell(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_isTerminal(isatty(descriptor) == 1)
{
    if (!m_bell.isOpen())
        throw std::system_error(errno, std::generic_category(), "eventfd");
    open(descriptor);
    m_thread = startThreadOrThrow("rm-console", [this] { work(); });
}

Console::~Console()
{
    {
        const std::lock_guard guard(m_mutex);
        m_isEnding = true;
        m_changed.notify_all();
    }
    (void)eventfd_write(m_bell.get(), 1);
    m_thread.join();
}

void Console::open(int descriptor)
{
    struct stat info
    {
    };
    m_isBroken = fstat(descriptor, &info) != 0;
    const bool isStream = S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode);
    if (isStream) {
        // Opened anew, since O_NONBLOCK on a shared description would also hit the user's shell.
        const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
        m_descriptor =
            FileDescriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        m_kind = Kind::NonBlocking;
    }
    if (!m_descriptor.isOpen()) {
        m_descriptor = FileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
        m_kind = S_ISSOCK(info.st_mode) ? Kind::Socket : isStream ? Kind::Blocking : Kind::File;
    }
}

void Console::write(std::string_view bytes)
{
    const std::lock_guard guard(m_mutex);
    add(bytes);
}

void Console::writeLine(const void* owner, std::string_view prefix, std::string_view text,
                        bool endsLine)
{
    std::string line;
    const std::lock_guard guard(m_mutex);
    if (m_openLine != nullptr && m_openLine != owner)
        line += '\n';
    if (m_openLine != owner)
        line += prefix;
    line += text;
    if (endsLine)
        line += '\n';
    m_openLine = endsLine ? nullptr : owner;
    add(line);
}

void Console::add(std::string_view bytes)
{
    if (m_isBroken || bytes.empty())
        return;
    if (m_leftOut > 0 || waiting() + bytes.size() > Limit) {
        m_leftOut += bytes.size();
        return;
    }
    m_buffer += bytes;
    m_wasFull = m_wasFull || waiting() >= HighWater;
    m_changed.notify_all();
}

bool Console::isFull() const
{
    const std::lock_guard guard(m_mutex);
    return waiting() >= HighWater;
}

bool Console::isBehind() const
{
    const std::lock_guard guard(m_mutex);
    return waiting() >= HighWater && !hasPaused();
}

bool Console::isEmpty() const
{
    const std::lock_guard guard(m_mutex);
    return waiting() == 0;
}

bool Console::isStalled() const
{
    const std::lock_guard guard(m_mutex);
    return hasPaused();
}

/// How long our own thread has had no turn proves nothing of the reader.
bool Console::hasPaused() const
{
    // On a stalled disk, and at a terminal of somebody else, write() itself waits.
    const bool isWriting = m_writingSince && SteadyClock::now() - *m_writingSince >= Stall;
    return waiting() > 0 && (m_wasWithoutRoom || isWriting);
}

void Console::setDrained(std::function<void()> drained)
{
    const std::lock_guard guard(m_mutex);
    m_drained = std::move(drained);
}

bool Console::waitUntilWritten(Patience patience)
{
    std::unique_lock guard(m_mutex);
    while (waiting() > 0 || m_leftOut > 0) {
        if (patience == Patience::UntilStalled && hasPaused())
            return false;
        sayLeftOut();
        m_changed.wait_for(guard, Stall);
    }
    return true;
}

void Console::work()
{
    std::unique_lock guard(m_mutex);
    for (;;) {
        m_changed.wait(guard, [this] { return m_isEnding || waiting() > 0; });
        if (m_isEnding)
            return;
        const std::string bytes = m_buffer.substr(m_written, BytesAWrite);
        guard.unlock();
        const bool hasRoom = waitForRoom();
        guard.lock();
        if (m_isEnding)
            return;
        ssize_t count = 0;
        int error = 0;
        if (hasRoom) {
            m_writingSince = SteadyClock::now();
            guard.unlock();
            count = writeSome(bytes);
            error = count < 0 ? errno : 0;
            guard.lock();
            m_writingSince.reset();
        } else {
            m_wasWithoutRoom = true;
            m_changed.notify_all();
        }
        if (count > 0)
            took(static_cast<std::size_t>(count));
        else if (error != 0 && error != EAGAIN && error != EINTR)
            m_isBroken = true; // The reader is gone (head, a closed terminal): the job isn't.
        if (m_isBroken) {
            m_leftOut = 0;
            took(waiting());
        }
        letGoIfStalled();
    }
}

/// Those who wait for the reader needn't any more.
void Console::letGoIfStalled()
{
    if (!m_wasFull || m_hasLetGo || !hasPaused())
        return;
    m_hasLetGo = true;
    if (m_drained)
        m_drained();
}

void Console::took(std::size_t count)
{
    m_wasWithoutRoom = false;
    m_hasLetGo = false;
    m_written += count;
    if (waiting() == 0 || m_written > HighWater) {
        m_buffer.erase(0, m_written);
        m_written = 0;
    }
    sayLeftOut();
    if (m_wasFull && waiting() <= LowWater) {
        m_wasFull = false;
        if (m_drained)
            m_drained();
    }
    m_changed.notify_all();
}

/// Once there is room again.
void Console::sayLeftOut()
{
    if (m_leftOut == 0 || waiting() > LowWater)
        return;
    const std::uint64_t bytes = std::exchange(m_leftOut, 0);
    const std::string lineEnd = m_openLine != nullptr ? "\n" : "";
    m_openLine = nullptr;
    add(lineEnd + "ringmaster: " + std::to_string((bytes + 1023) / 1024) +
        " KiB were left out here, since nobody read them; `ringmaster logs` has all of it\n");
}

/// False: there was none at any moment for that long, or it is to end.
bool Console::waitForRoom() const
{
    if (m_kind == Kind::File)
        return true;
    std::array<pollfd, 2> watched{{{m_descriptor.get(), POLLOUT, 0}, {m_bell.get(), POLLIN, 0}}};
    constexpr std::chrono::milliseconds Longest = Stall;
    int ready = 0;
    do
        ready = poll(watched.data(), watched.size(), static_cast<int>(Longest.count()));
    while (ready < 0 && errno == EINTR);
    return ready > 0 && watched[1].revents == 0;
}

ssize_t Console::writeSome(std::string_view bytes) const
{
    switch (m_kind) {
    case Kind::Socket:
        return send(m_descriptor.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Kind::Blocking: // poll() promises room for PIPE_BUF bytes.
        return ::write(m_descriptor.get(), bytes.data(),
                       std::min<std::size_t>(bytes.size(), PIPE_BUF));
    case Kind::NonBlocking:
    case Kind::File: break;
    }
    return ::write(m_descriptor.get(), bytes.data(), bytes.size());
}

} // namespace ringmaster
