#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/SpareDescriptor.h"

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>

namespace ringmaster {

/// Serves one text at http://127.0.0.1:PORT/metrics, on loopback only. A request is at most a few
/// KiB, a connection serves one and lasts seconds, and there are few of them: whoever is slow, or
/// sends something else, costs nothing but its own connection. Lives on the loop.
class MetricsEndpoint
{
public:
    using Text = std::function<Result<std::string>()>;

    struct Limits
    {
        size_t requestBytes = 8U << 10U;
        size_t connections = 16; ///< Of more the oldest is closed.
        std::chrono::milliseconds patience{10'000};
        std::chrono::milliseconds textAge{1000}; ///< It isn't asked for again before.
    };

    /// `port` 0: a free one. `text` is called on the loop.
    static Result<std::unique_ptr<MetricsEndpoint>> open(EventLoop& loop, int port, Text text,
                                                         Limits limits);
    static Result<std::unique_ptr<MetricsEndpoint>> open(EventLoop& loop, int port, Text text)
    {
        return open(loop, port, std::move(text), Limits());
    }

    MetricsEndpoint(const MetricsEndpoint&) = delete;
    MetricsEndpoint& operator=(const MetricsEndpoint&) = delete;
    ~MetricsEndpoint() = default;

    int port() const { return m_port; }

private:
    struct Connection
    {
        FileDescriptor socket{};
        std::string request{};
        std::string reply{}; ///< What of it isn't sent yet.
        EventLoop::Registration ready{};
        EventLoop::Registration deadline{};
    };
    using Place = std::list<Connection>::iterator;

    MetricsEndpoint(EventLoop& loop, FileDescriptor listener, int port, Text text, Limits limits);

    void welcome();
    void receive(Place at);
    void send(Place at);
    void end(Place at);
    std::string replyTo(const std::string& request);
    const Result<std::string>& text();

    EventLoop& m_loop;
    FileDescriptor m_listener;
    int m_port = 0;
    Text m_ask;
    Limits m_limits;
    SpareDescriptor m_spare{"metrics"};
    Result<std::string> m_text;
    std::chrono::steady_clock::time_point m_textUntil{};
    std::list<Connection> m_connections; ///< The oldest first.
    EventLoop::Registration m_readable;
};

} // namespace ringmaster
