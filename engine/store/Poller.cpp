#include "engine/store/Poller.h"

#include <array>
#include <cerrno>

#include <sys/epoll.h>

namespace ringmaster {

struct Poller::Batch
{
    std::array<epoll_event, 256> events{};
    int count = 0;
};

Poller::Poller(FileDescriptor set, EventLoop::Task afterBatch)
    : m_set(std::move(set)), m_afterBatch(std::move(afterBatch))
{
}

Result<std::unique_ptr<Poller>> Poller::create(EventLoop& loop, EventLoop::Task afterBatch)
{
    FileDescriptor set(epoll_create1(EPOLL_CLOEXEC));
    if (!set.isOpen())
        return fail(Code::SystemCallFailed, {{"call", "epoll_create1"}}, errnoText(errno));
    std::unique_ptr<Poller> poller(new Poller(std::move(set), std::move(afterBatch)));
    poller->m_watch =
        loop.watchReadable(poller->m_set.get(), [self = poller.get()] { self->dispatch(); });
    return poller;
}

Result<void> Poller::add(int fd, std::uint32_t events, Handler& handler)
{
    epoll_event event{.events = events, .data = {.ptr = &handler}};
    if (epoll_ctl(m_set.get(), EPOLL_CTL_ADD, fd, &event) != 0)
        return fail(Code::SystemCallFailed, {{"call", "epoll_ctl"}}, errnoText(errno));
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

void Poller::dispatch()
{
    Batch batch;
    batch.count =
        epoll_wait(m_set.get(), batch.events.data(), static_cast<int>(batch.events.size()), 0);
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
