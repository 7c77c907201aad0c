#include "engine/store/Poller.h"

#include "engine/base/Codes.h"

#include <array>
#include <cerrno>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

namespace ringmaster {

struct Poller::Batch
{
    std::array<epoll_event, 256> events; // Filled by the kernel: clearing it would cost more.
    int count = 0;
};

namespace {

/// What the loop's own timers may be late.
constexpr std::chrono::milliseconds Stay{16};
/// Between two batches of a set that is worth staying with.
constexpr std::chrono::milliseconds Busy{1};

/// One timer for the whole stay: a timeout of epoll_wait's would be one a batch, and on a virtual
/// machine a timer costs as much as a request.
FileDescriptor makeTimer()
{
    return FileDescriptor(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
}

void startTimer(int fd, std::chrono::nanoseconds delay)
{
    const itimerspec once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_nsec = delay.count()}};
    (void)timerfd_settime(fd, 0, &once, nullptr);
}

} // namespace

/// An eventfd or a timerfd: ends a stay.
class Poller::Bell final : public Poller::Handler
{
public:
    explicit Bell(FileDescriptor fd) : m_fd(std::move(fd)) {}

    int descriptor() const { return m_fd.get(); }
    void ring() { (void)eventfd_write(m_fd.get(), 1); }
    bool wasRung() { return std::exchange(m_wasRung, false); }

    void ready(std::uint32_t) override
    {
        std::uint64_t count = 0;
        m_wasRung = ::read(m_fd.get(), &count, sizeof count) == sizeof count;
    }

private:
    FileDescriptor m_fd;
    bool m_wasRung = false;
};

Poller::Poller(FileDescriptor set, WhileBusy whileBusy, EventLoop::Task afterBatch)
    : m_set(std::move(set)), m_whileBusy(whileBusy), m_afterBatch(std::move(afterBatch))
{
}

Poller::~Poller() = default;

Result<std::unique_ptr<Poller>> Poller::create(EventLoop& loop, WhileBusy whileBusy,
                                               EventLoop::Task afterBatch)
{
    FileDescriptor set(epoll_create1(EPOLL_CLOEXEC));
    if (!set.isOpen())
        return fail(code::SystemCallFailed, {{"call", "epoll_create1"}}, errnoText(errno));
    std::unique_ptr<Poller> poller(new Poller(std::move(set), whileBusy, std::move(afterBatch)));
    if (whileBusy == WhileBusy::Stays) {
        poller->m_bell =
            std::make_unique<Bell>(FileDescriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)));
        poller->m_alarm = std::make_unique<Bell>(makeTimer());
        RM_TRY(poller->add(poller->m_bell->descriptor(), EPOLLIN, *poller->m_bell));
        RM_TRY(poller->add(poller->m_alarm->descriptor(), EPOLLIN, *poller->m_alarm));
    }
    poller->m_watch =
        loop.watchReadable(poller->m_set.get(), [self = poller.get()] { self->dispatch(); });
    return poller;
}

Result<void> Poller::add(int fd, std::uint32_t events, Handler& handler)
{
    epoll_event event{.events = events, .data = {.ptr = &handler}};
    if (epoll_ctl(m_set.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        return fail(code::SystemCallFailed, {{"call", "epoll_ctl"}}, errnoText(errno));
    return {};
}

void Poller::change(int fd, std::uint32_t events, Handler& handler)
{
    epoll_event event{.events = events, .data = {.ptr = &handler}};
    // Can't fail: the descriptor is in the set.
    (void)epoll_ctl(m_set.get(), EPOLL_CTL_MOD, fd, &event);
}

void Poller::remove(int fd, Handler& handler)
{
    (void)epoll_ctl(m_set.get(), EPOLL_CTL_DEL, fd, nullptr);
    if (!m_batch)
        return;
    for (int i = 0; i < m_batch->count; ++i) {
        epoll_event& event = m_batch->events.at(static_cast<size_t>(i));
        if (event.data.ptr == &handler)
            event.data.ptr = nullptr;
    }
}

void Poller::returnToLoop()
{
    if (m_bell)
        m_bell->ring();
}

void Poller::dispatch()
{
    handleBatch(0);
    if (m_whileBusy == WhileBusy::ReturnsToLoop || m_bell->wasRung())
        return;
    if (Clock::now() - std::exchange(m_lastBatch, Clock::now()) > Busy)
        return;
    startTimer(m_alarm->descriptor(), Stay);
    while (!m_bell->wasRung() && !m_alarm->wasRung())
        handleBatch(-1);
    m_lastBatch = Clock::now();
}

void Poller::handleBatch(int timeoutMs)
{
    Batch batch;
    batch.count = epoll_wait(m_set.get(), batch.events.data(),
                             static_cast<int>(batch.events.size()), timeoutMs);
    m_batch = &batch;
    for (int i = 0; i < batch.count; ++i) {
        const epoll_event event = batch.events.at(static_cast<size_t>(i));
        if (event.data.ptr)
            static_cast<Handler*>(event.data.ptr)->ready(event.events);
    }
    m_batch = nullptr;
    m_afterBatch();
}

} // namespace ringmaster
