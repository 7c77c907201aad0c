#include "engine/control/MetricsEndpoint.h"

#include "engine/base/Codes.h"
#include "engine/control/Codes.h"
#include "engine/control/LoopbackListener.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr std::string_view TextType = "text/plain; version=0.0.4; charset=utf-8";

std::string reply(std::string_view status, std::string_view body, bool isHead,
                  std::string_view type = "text/plain; charset=utf-8")
{
    return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                       "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                       "Connection: close\r\n\r\n{}",
                       status, type, body.size(), isHead ? "" : body);
}

bool sameWord(std::string_view one, std::string_view other)
{
    return one.size() == other.size() &&
           std::equal(one.begin(), one.end(), other.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == b;
           });
}

/// Of the Host header, without its port; empty: there is none.
std::string_view hostHeaderOf(std::string_view request)
{
    for (size_t at = request.find("\r\n"); at != std::string_view::npos;
         at = request.find("\r\n", at + 2)) {
        std::string_view line = request.substr(at + 2, request.find("\r\n", at + 2) - at - 2);
        const size_t colon = line.find(':');
        if (colon == std::string_view::npos || !sameWord(line.substr(0, colon), "host"))
            continue;
        line.remove_prefix(colon + 1);
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t'))
            line.remove_prefix(1);
        return line.substr(0, line.find_first_of(": \t"));
    }
    return {};
}

/// A page in a browser may have another name lead here; it mustn't read what it gets.
bool isOfThisMachine(std::string_view host)
{
    return host.empty() || host == "127.0.0.1" || sameWord(host, "localhost");
}

struct MetricsRequest
{
    std::string refusal{}; ///< The reply; empty: it asks for the text.
    bool isHead = false;
};

MetricsRequest metricsRequestIn(const std::string& request)
{
    const std::string line = request.substr(0, request.find("\r\n"));
    const size_t first = line.find(' ');
    const size_t second = line.find(' ', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos || line.compare(second + 1, 5, "HTTP/") != 0)
        return {reply("400 Bad Request", "This isn't HTTP.\n", false)};
    const std::string method = line.substr(0, first);
    std::string path = line.substr(first + 1, second - first - 1);
    path = path.substr(0, path.find('?'));
    const bool isHead = method == "HEAD";
    if (!isHead && method != "GET")
        return {reply("405 Method Not Allowed", "Only GET is answered.\n", false)};
    if (!isOfThisMachine(hostHeaderOf(request)))
        return {reply("403 Forbidden", "Ask for 127.0.0.1 or localhost.\n", isHead)};
    if (path != "/metrics")
        return {reply("404 Not Found", "The run's metrics are at /metrics.\n", isHead)};
    return {.isHead = isHead};
}

} // namespace

Result<std::unique_ptr<MetricsEndpoint>> MetricsEndpoint::open(EventLoop& loop, int port, Ask ask,
                                                               Limits limits)
{
    LoopbackListener listener =
        RM_TRY(listenOnLoopback(port, code::MetricsPortTaken, code::MetricsPortRefused));
    return std::unique_ptr<MetricsEndpoint>(new MetricsEndpoint(
        loop, std::move(listener.socket), listener.port, std::move(ask), limits));
}

MetricsEndpoint::MetricsEndpoint(EventLoop& loop, FileDescriptor listener, int port, Ask ask,
                                 Limits limits)
    : m_loop(loop)
    , m_listener(std::move(listener))
    , m_port(port)
    , m_ask(std::move(ask))
    , m_limits(limits)
    , m_readable(loop.watchReadable(m_listener.get(), [this] { welcome(); }))
{
}

void MetricsEndpoint::welcome()
{
    FileDescriptor socket = m_spare.accept(m_listener.get());
    if (!socket.isOpen())
        return;
    if (m_connections.size() >= m_limits.connections)
        end(m_connections.begin());
    const Place at = m_connections.insert(m_connections.end(), Connection{});
    at->socket = std::move(socket);
    at->ready = m_loop.watchReadable(at->socket.get(), [this, at] { receive(at); });
    at->deadline = m_loop.callAfter(m_limits.patience, [this, at] { end(at); });
}

void MetricsEndpoint::receive(Place at)
{
    std::array<char, 4096> buffer{};
    const ssize_t got = ::recv(at->socket.get(), buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0)
        return end(at);
    at->request.append(buffer.data(), static_cast<size_t>(got));
    const size_t head = at->request.find("\r\n\r\n");
    if (head == std::string::npos && at->request.size() < m_limits.requestBytes)
        return;
    at->ready.cancel(); // what it goes on to send isn't read
    if (head == std::string::npos)
        return answer(
            at, reply("431 Request Header Fields Too Large", "The request is too long.\n", false));
    MetricsRequest asked = metricsRequestIn(at->request.substr(0, head + 2));
    if (!asked.refusal.empty())
        return answer(at, std::move(asked.refusal));
    at->isHead = asked.isHead;
    at->isWaiting = true;
    if (std::chrono::steady_clock::now() < m_textUntil)
        answerWaiting();
    else if (!std::exchange(m_isAsked, true))
        m_ask();
}

void MetricsEndpoint::show(Result<std::string> text)
{
    m_isAsked = false;
    m_text = std::move(text);
    m_textUntil = std::chrono::steady_clock::now() + m_limits.textAge;
    answerWaiting();
}

void MetricsEndpoint::answerWaiting()
{
    for (Place at = m_connections.begin(); at != m_connections.end(); ++at) {
        if (!at->isWaiting)
            continue;
        answer(at, m_text ? reply("200 OK", *m_text, at->isHead, TextType)
                          : reply("503 Service Unavailable", describe(m_text.error()) + "\n",
                                  at->isHead));
    }
}

void MetricsEndpoint::answer(Place at, std::string text)
{
    at->isWaiting = false;
    at->reply = std::move(text);
    at->ready = m_loop.watchWritable(at->socket.get(), [this, at] { send(at); });
}

void MetricsEndpoint::send(Place at)
{
    const ssize_t sent = ::send(at->socket.get(), at->reply.data(), at->reply.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (sent < 0)
        return end(at);
    at->reply.erase(0, static_cast<size_t>(sent));
    if (at->reply.empty())
        end(at);
}

/// Also from within a callback of its own, which the loop keeps until it returns.
void MetricsEndpoint::end(Place at)
{
    at->ready.cancel();
    at->deadline.cancel();
    m_connections.erase(at);
}

} // namespace ringmaster
