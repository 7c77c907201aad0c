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
    /// Asks for the text, which show() brings.
    using Ask = std::function<void()>;

    struct Limits
    {
        size_t requestBytes = 8U << 10U;
        size_t connections = 16; ///< Of more the oldest is closed.
        std::chrono::milliseconds patience{10'000};
        std::chrono::milliseconds textAge{1000}; ///< It isn't asked for again before.
    };

    /// `port` 0: a free one. `ask` is called on the loop, and not again before its answer.
    static Result<std::unique_ptr<MetricsEndpoint>> open(EventLoop& loop, int port, Ask ask,
                                                         Limits limits);
    static Result<std::unique_ptr<MetricsEndpoint>> open(EventLoop& loop, int port, Ask ask)
    {
        return open(loop, port, std::move(ask), Limits());
    }

    MetricsEndpoint(const MetricsEndpoint&) = delete;
    MetricsEndpoint& operator=(const MetricsEndpoint&) = delete;
    ~MetricsEndpoint() = default;

    /// The text, or why there is none; also from within `ask`.
    void show(Result<std::string> text);

    int port() const { return m_port; }

private:
    struct Connection
    {
        FileDescriptor socket{};
        std::string request{};
        bool isHead = false;
        bool isWaiting = false; ///< For the text.
        std::string reply{};    ///< What of it isn't sent yet.
        EventLoop::Registration ready{};
        EventLoop::Registration deadline{};
    };
    using Place = std::list<Connection>::iterator;

    MetricsEndpoint(EventLoop& loop, FileDescriptor listener, int port, Ask ask, Limits limits);

    void welcome();
    void receive(Place at);
    void answerWaiting();
    void answer(Place at, std::string text);
    void send(Place at);
    void end(Place at);

    EventLoop& m_loop;
    FileDescriptor m_listener;
    int m_port = 0;
    Ask m_ask;
    Limits m_limits;
    SpareDescriptor m_spare{"metrics"};
    bool m_isAsked = false; ///< For a text that hasn't come yet.
    Result<std::string> m_text;
    std::chrono::steady_clock::time_point m_textUntil{};
    std::list<Connection> m_connections; ///< The oldest first.
    EventLoop::Registration m_readable;
};

} // namespace ringmaster
