#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace ringmaster {

/// Many descriptors behind one watch of an EventLoop: an epoll set inside the loop's own, so that a
/// connection costs the loop nothing while it is idle and one system call a batch when it isn't.
class Poller
{
public:
    /// Staying saves half of the system calls of a request, but keeps the loop's timers waiting for
    /// some milliseconds.
    enum class WhileBusy { ReturnsToLoop, Stays };

    class Handler
    {
    public:
        virtual ~Handler() = default;
        /// `events` as epoll has them. May remove and destroy any handler, itself too.
        virtual void ready(std::uint32_t events) = 0;
    };

    static Result<std::unique_ptr<Poller>> create(EventLoop& loop, WhileBusy whileBusy,
                                                  EventLoop::Task afterBatch);

    /// Makes it return to the loop, where something has been posted; any thread.
    void returnToLoop();

    Result<void> add(int fd, std::uint32_t events, Handler& handler);
    void change(int fd, std::uint32_t events, Handler& handler);
    /// Before `fd` is closed.
    void remove(int fd, Handler& handler);

    ~Poller();

private:
    struct Batch;

    class Bell;
    using Clock = std::chrono::steady_clock;

    Poller(FileDescriptor set, WhileBusy whileBusy, EventLoop::Task afterBatch);
    void dispatch();
    void handleBatch(int timeoutMs);

    FileDescriptor m_set;
    WhileBusy m_whileBusy;
    std::unique_ptr<Bell> m_bell;
    std::unique_ptr<Bell> m_alarm;
    Clock::time_point m_lastBatch;
    EventLoop::Task m_afterBatch;
    Batch* m_batch = nullptr; ///< Only inside dispatch().
    EventLoop::Registration m_watch;
};

} // namespace ringmaster
