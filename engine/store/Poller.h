#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <cstdint>
#include <memory>

namespace ringmaster {

/// Many descriptors behind one watch of an EventLoop: an epoll set inside the loop's own, so that a
/// connection costs the loop nothing while it is idle and one system call a batch when it isn't.
class Poller
{
public:
    class Handler
    {
    public:
        virtual ~Handler() = default;
        /// `events` as epoll has them. May remove and destroy any handler, itself too.
        virtual void ready(std::uint32_t events) = 0;
    };

    /// Empty when the system has no descriptor left.
    static Result<std::unique_ptr<Poller>> create(EventLoop& loop, EventLoop::Task afterBatch);

    Result<void> add(int fd, std::uint32_t events, Handler& handler);
    void change(int fd, std::uint32_t events, Handler& handler);
    /// Before `fd` is closed.
    void remove(int fd, Handler& handler);

private:
    struct Batch;

    Poller(FileDescriptor set, EventLoop::Task afterBatch);
    void dispatch();

    FileDescriptor m_set;
    EventLoop::Task m_afterBatch;
    Batch* m_batch = nullptr; ///< Only inside dispatch().
    EventLoop::Registration m_watch;
};

} // namespace ringmaster
