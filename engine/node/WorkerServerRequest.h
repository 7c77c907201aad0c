#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ringmaster {

/// Asks torch's worker server in a rank where its threads stand. One loop's; no answer comes after
/// it is destroyed.
class WorkerServerRequest
{
public:
    /// The answer's text; nothing: there is none.
    using Done = std::function<void(std::optional<std::string>)>;

    WorkerServerRequest(EventLoop& loop, Done done) : m_loop(loop), m_done(std::move(done)) {}

    /// False where nobody listens at the socket; then nothing comes.
    bool start(const std::string& socket, std::chrono::milliseconds patience);

private:
    void read();
    void finish();

    EventLoop& m_loop;
    const Done m_done;
    FileDescriptor m_socket;
    std::string m_answer;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_limit;
};

} // namespace ringmaster
