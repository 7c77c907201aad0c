#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/Result.h"
#include "engine/worker/KeeperProtocol.h"

#include <deque>
#include <filesystem>
#include <functional>

namespace ringmaster {

/// A keeper and its guard: the agent's end of the keeper's socket, and the processes.
struct KeeperEndpoint
{
    FileDescriptor socket{};
    FileDescriptor pidfd{}; ///< The keeper's; not open before it has introduced itself.
    pid_t pid = -1;
    FileDescriptor guard{}; ///< pidfd
    pid_t guardPid = -1;    ///< -1: it isn't this process's child.
};

/// Of the keeper, or its guard: true also for one that was never there.
bool hasEnded(const FileDescriptor& pidfd);
/// How the guard has ended, which ends as the keeper did; reaps it.
std::string endOf(const FileDescriptor& guard);
/// Only what was stopped: a signal that isn't needed disturbs a debugger, or the leak sanitizer,
/// that is attaching itself.
void wakeIfStopped(const FileDescriptor& pidfd);

/// ringmaster-keeper beside this executable, or in ../libexec/ringmaster.
std::filesystem::path keeperExecutable();

/// Starts ringmaster-keeper in a session of its own with nothing but the socket and our stderr. The
/// process is the guard; the keeper, its child, introduces itself.
Result<KeeperEndpoint> spawnKeeper(const std::filesystem::path& executable,
                                   const std::string& title,
                                   const std::vector<std::string>& environment);

/// Frames over the socket of a keeper, both ways, without ever blocking the loop.
class KeeperChannel
{
public:
    using Received = std::function<void(keeper::ReceivedFrame)>;
    using Closed = std::function<void()>;

    /// `closed` comes once, after the last frame; it also means that the other side broke the
    /// protocol. Either callback may destroy the channel.
    KeeperChannel(EventLoop& loop, FileDescriptor socket, Received received, Closed closed);

    void send(const keeper::Frame& frame, std::vector<FileDescriptor> descriptors = {});

    /// Takes what has arrived: before a dead keeper is mourned. False: that was all, and `closed`
    /// has been called; or a callback has destroyed this.
    bool receive();

private:
    struct Outgoing
    {
        std::string bytes;
        std::vector<FileDescriptor> descriptors;
        std::size_t sent = 0;
    };

    void flush();
    bool sendSome(Outgoing& outgoing);

    EventLoop& m_loop;
    FileDescriptor m_socket;
    Received m_received;
    Closed m_closed;
    keeper::FrameReader m_reader;
    std::deque<Outgoing> m_outgoing;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop::Registration m_readable;
    EventLoop::Registration m_writable;
};

} // namespace ringmaster
