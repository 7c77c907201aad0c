#include "engine/worker/output/Console.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

Console::Console(EventLoop& loop, int descriptor, std::function<void()> drained)
    : m_loop(loop), m_drained(std::move(drained)), m_isTerminal(isatty(descriptor) == 1)
{
    open(descriptor);
}

void Console::open(int descriptor)
{
    struct stat info
    {
    };
    m_isBroken = fstat(descriptor, &info) != 0;
    if (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode)) {
        // Opened anew, since O_NONBLOCK on a shared description would also hit the user's shell.
        const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
        m_descriptor =
            FileDescriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        m_kind = Kind::NonBlocking;
    }
    if (!m_descriptor.isOpen()) {
        m_descriptor = FileDescriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
        m_kind = S_ISSOCK(info.st_mode)                            ? Kind::Socket
                 : S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode) ? Kind::Blocking
                                                                   : Kind::File;
    }
}

void Console::write(std::string_view bytes)
{
    if (m_isBroken)
        return;
    m_buffer += bytes;
    if (!m_writable.isActive())
        flush();
}

void Console::writeLine(const void* owner, std::string_view prefix, std::string_view text,
                        bool endsLine)
{
    std::string line;
    if (m_openLine != nullptr && m_openLine != owner)
        line += '\n';
    if (m_openLine != owner)
        line += prefix;
    line += text;
    if (endsLine)
        line += '\n';
    m_openLine = endsLine ? nullptr : owner;
    write(line);
}

void Console::flush()
{
    while (!isEmpty() && !m_isBroken) {
        const ssize_t count = writeSome(std::string_view(m_buffer).substr(m_written));
        if (count >= 0)
            m_written += static_cast<std::size_t>(count);
        else if (errno == EAGAIN)
            break;
        else if (errno != EINTR)
            m_isBroken = true; // The reader is gone (head, a closed terminal): the job isn't.
    }
    if (isEmpty() || m_isBroken || m_written > HighWater) {
        m_buffer.erase(0, m_isBroken ? std::string::npos : m_written);
        m_written = 0;
    }
    const bool wasWaiting = m_writable.isActive();
    if (isEmpty())
        m_writable.cancel();
    else if (!wasWaiting)
        m_writable = m_loop.watchWritable(m_descriptor.get(), [this] { flush(); });
    if (wasWaiting && waiting() <= LowWater)
        m_drained();
}

ssize_t Console::writeSome(std::string_view bytes) const
{
    switch (m_kind) {
    case Kind::Socket:
        return send(m_descriptor.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Kind::Blocking: {
        // POLLOUT promises room for PIPE_BUF bytes.
        pollfd ready{m_descriptor.get(), POLLOUT, 0};
        if (poll(&ready, 1, 0) <= 0) {
            errno = EAGAIN;
            return -1;
        }
        return ::write(m_descriptor.get(), bytes.data(),
                       std::min<std::size_t>(bytes.size(), PIPE_BUF));
    }
    case Kind::NonBlocking:
    case Kind::File: break;
    }
    return ::write(m_descriptor.get(), bytes.data(), bytes.size());
}

} // namespace ringmaster
