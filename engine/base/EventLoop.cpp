#include "engine/base/EventLoop.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Log.h"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <fcntl.h>
#include <poll.h>

namespace ringmaster {

struct EventLoop::Native
{
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    /// Asio would make its epoll with the first descriptor, and throw then: now somebody listens.
    asio::posix::stream_descriptor first{context};
};

EventLoop::Registration::Registration() = default;
EventLoop::Registration::Registration(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}
EventLoop::Registration::Registration(Registration&&) noexcept = default;
EventLoop::Registration::~Registration()
{
    cancel();
}

EventLoop::Registration& EventLoop::Registration::operator=(Registration&& other) noexcept
{
    if (this != &other) {
        cancel();
        m_impl = std::move(other.m_impl);
    }
    return *this;
}

void EventLoop::Registration::cancel()
{
    // Held here: cancelling from inside the callback must not destroy what is running.
    if (const auto impl = std::exchange(m_impl, nullptr); impl && impl->active) {
        impl->active = false;
        impl->cancel();
    }
}

bool EventLoop::Registration::isActive() const
{
    return m_impl && m_impl->active;
}

namespace {

using Impl = EventLoop::Registration::Impl;

struct TimerImpl : Impl
{
    TimerImpl(asio::io_context& context, EventLoop::Task call)
        : timer(context), task(std::move(call))
    {
    }
    void cancel() override { timer.cancel(); }

    asio::steady_timer timer;
    EventLoop::Task task;
};

struct WatchImpl : Impl, std::enable_shared_from_this<WatchImpl>
{
    WatchImpl(asio::io_context& context, asio::posix::descriptor_base::wait_type direction,
              EventLoop::Task call)
        : descriptor(context), wait(direction), task(std::move(call))
    {
    }

    /// False: the system can't watch it.
    bool watch(int fd)
    {
        asio::error_code error;
        descriptor.assign(fd, error);
        if (!error)
            arm();
        return !error;
    }

    ~WatchImpl() override { release(); }

    void cancel() override { release(); }

    void arm()
    {
        descriptor.async_wait(wait, [self = shared_from_this()](const asio::error_code& error) {
            if (error || !self->active)
                return;
            self->task();
            if (self->active)
                self->arm();
        });
    }

    /// The descriptor is the caller's: Asio forgets it without closing it.
    void release()
    {
        if (descriptor.is_open())
            descriptor.release();
        duplicate.close();
    }

    FileDescriptor duplicate;
    asio::posix::stream_descriptor descriptor;
    asio::posix::descriptor_base::wait_type wait;
    EventLoop::Task task;
};

/// Where the system has no means left to watch a descriptor (no number for a copy, no room in
/// epoll): looks again and again.
struct LookImpl : Impl, std::enable_shared_from_this<LookImpl>
{
    LookImpl(asio::io_context& context, int fd, short direction, EventLoop::Task call)
        : timer(context), descriptor(fd), events(direction), task(std::move(call))
    {
    }

    void cancel() override { timer.cancel(); }

    void arm()
    {
        timer.expires_after(LookInterval);
        timer.async_wait([self = shared_from_this()](const asio::error_code& error) {
            if (error || !self->active)
                return;
            pollfd ready{self->descriptor, self->events, 0};
            if (poll(&ready, 1, 0) > 0)
                self->task();
            if (self->active)
                self->arm();
        });
    }

    static constexpr std::chrono::milliseconds LookInterval{20};

    asio::steady_timer timer;
    int descriptor;
    short events;
    EventLoop::Task task;
};

struct SignalImpl : Impl, std::enable_shared_from_this<SignalImpl>
{
    SignalImpl(asio::io_context& context, std::function<void(int)> call)
        : set(context), task(std::move(call))
    {
    }

    void cancel() override
    {
        set.cancel();
        set.clear();
    }

    void arm()
    {
        set.async_wait([self = shared_from_this()](const asio::error_code& error, int signal) {
            if (error || !self->active)
                return;
            self->arm();
            self->task(signal);
        });
    }

    asio::signal_set set;
    std::function<void(int)> task;
};

} // namespace

EventLoop::EventLoop() : m_native(std::make_unique<Native>()) {}
EventLoop::EventLoop(Scheduler& scheduler) : m_scheduler(&scheduler) {}
EventLoop::~EventLoop() = default;

void EventLoop::run()
{
    // Made ready again at the end, not here: a stop() that comes before run() must not be lost.
    struct Restart
    {
        ~Restart() { context.restart(); }
        asio::io_context& context;
    } const restart{m_native->context};
    m_native->context.run();
}

void EventLoop::stop()
{
    m_native->context.stop();
}

void EventLoop::post(Task task)
{
    if (m_scheduler)
        return m_scheduler->post(std::move(task));
    asio::post(m_native->context, std::move(task));
}

EventLoop::Registration EventLoop::callAfter(std::chrono::nanoseconds delay, Task task)
{
    if (m_scheduler)
        return m_scheduler->callAfter(delay, std::move(task));
    auto impl = std::make_shared<TimerImpl>(m_native->context, std::move(task));
    impl->timer.expires_after(delay);
    impl->timer.async_wait([impl](const asio::error_code& error) {
        if (error || !impl->active)
            return;
        impl->active = false;
        impl->task();
    });
    return Registration(impl);
}

EventLoop::Registration EventLoop::watchReadable(int fd, Task task)
{
    auto impl = std::make_shared<WatchImpl>(m_native->context,
                                            asio::posix::descriptor_base::wait_read, task);
    if (impl->watch(fd))
        return Registration(impl);
    return look(fd, POLLIN, std::move(task));
}

EventLoop::Registration EventLoop::watchWritable(int fd, Task task)
{
    // epoll knows a descriptor once; a duplicate lets reading and writing be watched side by side.
    FileDescriptor duplicate(fcntl(fd, F_DUPFD_CLOEXEC, 0));
    auto impl = std::make_shared<WatchImpl>(m_native->context,
                                            asio::posix::descriptor_base::wait_write, task);
    if (!duplicate.isOpen() || !impl->watch(duplicate.get()))
        return look(fd, POLLOUT, std::move(task));
    impl->duplicate = std::move(duplicate);
    return Registration(impl);
}

EventLoop::Registration EventLoop::look(int fd, short events, Task task)
{
    if (fd < 0) {
        log::error("base", "a descriptor that isn't open was to be watched");
        return {};
    }
    auto impl = std::make_shared<LookImpl>(m_native->context, fd, events, std::move(task));
    impl->arm();
    return Registration(impl);
}

EventLoop::Registration EventLoop::watchSignals(const std::vector<int>& signals,
                                                std::function<void(int)> task)
{
    auto impl = std::make_shared<SignalImpl>(m_native->context, std::move(task));
    for (const int signal : signals) {
        asio::error_code ignored;
        impl->set.add(signal, ignored);
    }
    impl->arm();
    return Registration(impl);
}

} // namespace ringmaster
