#include "engine/node/WorkerServerRequest.h"

#include <array>
#include <cerrno>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t MostAnswer = 128U << 10U;
constexpr std::string_view Question =
    "POST /handler/dump_traceback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

} // namespace

bool WorkerServerRequest::start(const std::string& socket, std::chrono::milliseconds patience)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (socket.empty() || socket.size() >= sizeof address.sun_path)
        return false;
    socket.copy(address.sun_path, sizeof address.sun_path - 1);
    m_socket = FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!m_socket.isOpen() ||
        ::connect(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0 ||
        ::send(m_socket.get(), Question.data(), Question.size(), MSG_NOSIGNAL) !=
            static_cast<ssize_t>(Question.size()))
        return false;
    m_readable = m_loop.watchReadable(m_socket.get(), [this] { read(); });
    m_limit = m_loop.callAfter(patience, [this] { finish(); });
    return true;
}

void WorkerServerRequest::read()
{
    std::array<char, 16'384> bytes{};
    const ssize_t count = ::read(m_socket.get(), bytes.data(), bytes.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count > 0)
        m_answer.append(bytes.data(), static_cast<size_t>(count));
    if (count <= 0 || m_answer.size() >= MostAnswer)
        finish();
}

void WorkerServerRequest::finish()
{
    m_limit.cancel();
    m_readable.cancel();
    m_socket.close();
    const size_t body = m_answer.find("\r\n\r\n");
    if (m_answer.starts_with("HTTP/1.1 200") && body != std::string::npos)
        m_done(m_answer.substr(body + 4));
    else
        m_done(std::nullopt);
}

} // namespace ringmaster
