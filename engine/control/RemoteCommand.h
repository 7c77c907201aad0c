#pragma once

#include "engine/control/CommandFrames.h"
#include "engine/event/Event.h"
#include "engine/hosts/HostLink.h"

#include <functional>
#include <memory>
#include <optional>

namespace ringmaster {

/// One command on another machine: hands over the request, and takes what it prints until its exit.
/// The connection's end ends it there. Lives on the loop.
class RemoteCommand : private HostLink::Listener
{
public:
    /// Called on the loop.
    class Owner
    {
    public:
        virtual ~Owner() = default;
        virtual void commandPrinted(Stream stream, std::string_view bytes) = 0;
        /// The next bytes should wait.
        virtual bool isBehind() const { return false; }
        /// Of the way there: the agent is being copied.
        virtual void commandTold(const Message& progress) = 0;
        /// Once: its exit code as a shell has it (128 and the signal that ended it), or why nobody
        /// knows that.
        virtual void commandEnded(const Result<int>& exitCode) = 0;
    };

    /// Packs the request, which may be too large.
    static Result<std::unique_ptr<RemoteCommand>>
    start(EventLoop& loop, Owner& owner, HostLink::Options way, const CommandRequest& request);
    ~RemoteCommand() override;

private:
    RemoteCommand(EventLoop& loop, Owner& owner, Host host, std::string request);

    void linkTold(const Message& progress) override { m_owner.commandTold(progress); }
    void linkOpened(FileDescriptor channel) override;
    void linkEnded(const Error& why, int exitCode) override;

    void writeOn();
    void beat();
    void listen();
    void arrived();
    bool read();
    void takeFrames();
    void end(const Result<int>& exitCode);

    EventLoop& m_loop;
    Owner& m_owner;
    const Host m_host;
    FileDescriptor m_channel;
    CommandFrameReader m_frames;
    std::string m_unsent;
    std::optional<Result<int>> m_end;
    EventLoop::Registration m_readable;
    EventLoop::Registration m_writable;
    EventLoop::Registration m_beat;
    EventLoop::Registration m_later;
    std::unique_ptr<HostLink> m_link;
};

} // namespace ringmaster
