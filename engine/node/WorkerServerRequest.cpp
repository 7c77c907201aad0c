#include "engine/node/WorkerServerRequest.h"

#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>

namespace ringmaster {

namespace {

constexpr size_t MostAnswer = 128U << 10U;
constexpr std::string_view Question =
    "POST /handler/dump_traceback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

std::optional<std::string> bodyOf(const std::string& answer)
{
    const size_t body = answer.find("\r\n\r\n");
    if (!answer.starts_with("HTTP/1.1 200") || body == std::string::npos)
        return std::nullopt;
    return answer.substr(body + 4);
}

} // namespace

WorkerServerRequest::WorkerServerRequest(EventLoop& loop, std::chrono::milliseconds patience,
                                         Done done)
    : m_loop(loop)
    , m_patience(patience)
    , m_done(std::move(done))
    , m_question(loop, Question, {.bytes = MostAnswer, .patience = patience},
                 [this](const std::string& answer) {
                     m_turn.reset();
                     m_done(bodyOf(answer));
                 })
{
}

bool WorkerServerRequest::start(const std::string& socket)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (socket.empty() || socket.size() >= sizeof address.sun_path)
        return false;
    socket.copy(address.sun_path, sizeof address.sun_path - 1);
    FileDescriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!connection.isOpen() ||
        ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
            0)
        return false;
    m_socket = socket;
    m_connection = std::move(connection);
    m_limit = std::chrono::steady_clock::now() + m_patience;
    // Never inside the call that asks.
    m_again = m_loop.callAfter(std::chrono::milliseconds(0), [this] { askInTurn(); });
    return true;
}

void WorkerServerRequest::askInTurn()
{
    constexpr auto BetweenTries = std::chrono::milliseconds(10);
    m_turn = WorkerServerTurn::take(m_socket);
    if (m_turn)
        return m_question.ask(std::move(m_connection));
    if (std::chrono::steady_clock::now() >= m_limit)
        return m_done(std::nullopt);
    m_again = m_loop.callAfter(BetweenTries, [this] { askInTurn(); });
}

} // namespace ringmaster
