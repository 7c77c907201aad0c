#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace ringmaster {

/// Sends one question to a server and reads its answer until the server closes the connection. The
/// answer is bounded in size and time. One loop's; no answer comes after it is destroyed.
class SocketQuestion
{
public:
    struct Limits
    {
        size_t bytes = 0;
        std::chrono::milliseconds patience{};
    };

    /// What has come; empty where nobody listens.
    using Done = std::function<void(std::string answer)>;

    SocketQuestion(EventLoop& loop, std::string_view question, Limits limits, Done done);

    /// `socket` is non-blocking, and connected or connecting. Not while one is open; `done` may ask
    /// again.
    void ask(FileDescriptor socket);
    bool isOpen() const { return m_socket.isOpen(); }

private:
    void write();
    void read();
    void finish();

    EventLoop& m_loop;
    const std::string m_question;
    const Limits m_limits;
    const Done m_done;
    FileDescriptor m_socket;
    std::string m_answer;
    EventLoop::Registration m_writable;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_limit;
};

} // namespace ringmaster
