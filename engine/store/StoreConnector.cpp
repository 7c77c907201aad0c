#include "engine/store/StoreConnector.h"

#include "engine/store/Codes.h"
#include "engine/store/StoreChecks.h"
#include "engine/store/StoreWire.h"

#include <algorithm>
#include <cerrno>
#include <random>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto FirstPause = 50ms;
constexpr auto LongestPause = 2000ms;
/// One address that swallows packets must not use up the time of the others.
constexpr auto AttemptTimeout = 5s;

/// Half to three halves: nodes that start together don't knock together for ever.
std::chrono::milliseconds jittered(std::chrono::milliseconds pause)
{
    thread_local std::minstd_rand random{std::random_device{}()};
    return pause / 2 + std::chrono::milliseconds(random() % static_cast<unsigned>(pause.count()));
}

std::uint32_t nonce()
{
    return static_cast<std::uint32_t>(::getpid());
}

} // namespace

StoreConnector::StoreConnector(EventLoop& loop, std::string host, std::uint16_t port,
                               std::chrono::milliseconds timeout, Done done)
    : m_loop(loop)
    , m_host(std::move(host))
    , m_port(port)
    , m_timeout(timeout)
    , m_done(std::move(done))
    , m_deadline(Clock::now() + timeout)
    , m_pause(FirstPause)
{
    m_timer = m_loop.callAfter(timeout, [this] {
        finish(fail(
            code::StoreUnreachable,
            {{"address", m_host + ":" + std::to_string(m_port)}, {"seconds", inSeconds(m_timeout)}},
            m_lastProblem));
    });
    lookUp();
}

void StoreConnector::lookUp()
{
    m_lookup.emplace(m_loop, m_host, m_port, [this](Result<std::vector<SocketAddress>> found) {
        m_addresses = found.value_or(std::vector<SocketAddress>());
        m_next = 0;
        if (!found)
            m_lastProblem = describe(found.error());
        tryNextAddress();
    });
}

void StoreConnector::tryNextAddress()
{
    if (m_next == m_addresses.size()) {
        pauseThenRetry();
        return;
    }
    const SocketAddress& address = m_addresses[m_next++];
    m_socket =
        FileDescriptor(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (::connect(m_socket.get(), address.get(), address.length()) != 0 && errno != EINPROGRESS) {
        attemptFailed(errnoText(errno));
        return;
    }
    m_attemptTimer = m_loop.callAfter(AttemptTimeout, [this] {
        attemptFailed("whoever listens there does not answer as a store does");
    });
    m_watch = m_loop.watchWritable(m_socket.get(), [this] { shakeHands(); });
}

void StoreConnector::shakeHands()
{
    int problem = 0;
    socklen_t length = sizeof problem;
    (void)getsockopt(m_socket.get(), SOL_SOCKET, SO_ERROR, &problem, &length);
    if (problem != 0) {
        attemptFailed(errnoText(problem));
        return;
    }
    const int on = 1;
    (void)setsockopt(m_socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(m_socket.get(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    // One segment: torch's libuv server closes a connection whose VALIDATE comes in two.
    std::string greeting;
    wire::appendOpcode(greeting, wire::Opcode::Validate);
    wire::appendInteger(greeting, wire::ValidateMagic);
    wire::appendOpcode(greeting, wire::Opcode::Ping);
    wire::appendInteger(greeting, nonce());
    const ssize_t sent = ::send(m_socket.get(), greeting.data(), greeting.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(greeting.size())) {
        attemptFailed(errnoText(errno));
        return;
    }
    m_echo.clear();
    m_watch = m_loop.watchReadable(m_socket.get(), [this] { readEcho(); });
}

void StoreConnector::readEcho()
{
    char bytes[sizeof(std::uint32_t)];
    const ssize_t count = ::recv(m_socket.get(), bytes, sizeof bytes - m_echo.size(), 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0) {
        attemptFailed("whoever listens there closes the connection");
        return;
    }
    m_echo.append(bytes, static_cast<size_t>(count));
    if (m_echo.size() < sizeof bytes)
        return;
    if (wire::readInteger<std::uint32_t>(m_echo) != nonce()) {
        attemptFailed("whoever listens there is no store");
        return;
    }
    m_watch.cancel();
    finish(std::move(m_socket));
}

void StoreConnector::attemptFailed(std::string why)
{
    m_lastProblem = std::move(why);
    m_attemptTimer.cancel();
    m_watch.cancel();
    m_socket.close();
    tryNextAddress();
}

void StoreConnector::pauseThenRetry()
{
    m_attemptTimer = m_loop.callAfter(
        jittered(std::exchange(m_pause,
                               std::min<std::chrono::milliseconds>(m_pause * 3 / 2, LongestPause))),
        [this] { lookUp(); });
}

void StoreConnector::finish(Result<FileDescriptor> result)
{
    m_timer.cancel();
    m_attemptTimer.cancel();
    m_watch.cancel();
    m_lookup.reset();
    // The callback may destroy this object.
    const Done done = std::move(m_done);
    done(std::move(result));
}

} // namespace ringmaster
