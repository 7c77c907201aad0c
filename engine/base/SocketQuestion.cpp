#include "engine/base/SocketQuestion.h"

#include <array>
#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

SocketQuestion::SocketQuestion(EventLoop& loop, std::string_view question, Limits limits, Done done)
    : m_loop(loop), m_question(question), m_limits(limits), m_done(std::move(done))
{
}

void SocketQuestion::ask(FileDescriptor socket)
{
    m_socket = std::move(socket);
    m_writable = m_loop.watchWritable(m_socket.get(), [this] { write(); });
    m_limit = m_loop.callAfter(m_limits.patience, [this] { finish(); });
}

/// It is connected, or nobody listens.
void SocketQuestion::write()
{
    m_writable.cancel();
    if (::send(m_socket.get(), m_question.data(), m_question.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(m_question.size()))
        return finish();
    m_readable = m_loop.watchReadable(m_socket.get(), [this] { read(); });
}

void SocketQuestion::read()
{
    std::array<char, 65'536> bytes{};
    const ssize_t count = ::read(m_socket.get(), bytes.data(), bytes.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0)
        m_answer.append(bytes.data(), static_cast<size_t>(count));
    if (count <= 0 || m_answer.size() >= m_limits.bytes)
        finish();
}

void SocketQuestion::finish()
{
    m_limit.cancel();
    m_writable.cancel();
    m_readable.cancel();
    m_socket.close();
    m_done(std::exchange(m_answer, {}));
}

} // namespace ringmaster
