#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/store/HostLookup.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// Reaches a store: every address of its host in turn, and again after a growing pause, until one
/// takes VALIDATE and echoes a PING, or the time is over. Destroying it drops the callback.
class StoreConnector
{
public:
    using Done = std::function<void(Result<FileDescriptor>)>;
    using Clock = std::chrono::steady_clock;

    StoreConnector(EventLoop& loop, std::string host, std::uint16_t port,
                   std::chrono::milliseconds timeout, Done done);

private:
    void lookUp();
    void tryNextAddress();
    void shakeHands();
    void readEcho();
    void attemptFailed(std::string why);
    void pauseThenRetry();
    void finish(Result<FileDescriptor> result);

    EventLoop& m_loop;
    std::string m_host;
    std::uint16_t m_port;
    std::chrono::milliseconds m_timeout;
    Done m_done;
    Clock::time_point m_deadline;
    std::chrono::milliseconds m_pause;
    std::string m_lastProblem;
    std::optional<HostLookup> m_lookup;
    std::vector<SocketAddress> m_addresses;
    std::size_t m_next = 0; ///< Of m_addresses.
    FileDescriptor m_socket;
    std::string m_echo;
    EventLoop::Registration m_watch;
    EventLoop::Registration m_attemptTimer;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
