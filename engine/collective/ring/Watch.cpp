#include "engine/collective/ring/Watch.h"

#include "engine/base/Codes.h"
#include "engine/base/ProcessSignal.h"
#include "engine/collective/ring/ServiceThread.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace ringmaster::ring {

namespace {

constexpr Watch::Id EndEvent = 0; // No callback has it.

} // namespace

Result<std::unique_ptr<Watch>> Watch::start()
{
    FileDescriptor poll(::epoll_create1(EPOLL_CLOEXEC));
    FileDescriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = EndEvent;
    if (!poll.isOpen() || !wake.isOpen() ||
        ::epoll_ctl(poll.get(), EPOLL_CTL_ADD, wake.get(), &event) != 0)
        return fail(code::SystemCallFailed, {{"call", "epoll_create1"}}, errnoText(errno));
    return std::unique_ptr<Watch>(new Watch(std::move(poll), std::move(wake)));
}

Watch::Watch(FileDescriptor poll, FileDescriptor wake)
    : m_poll(std::move(poll))
    , m_wake(std::move(wake))
    , m_thread(startServiceThread("rm-ring-watch", [this] { serve(); }))
{
}

Watch::~Watch()
{
    const std::uint64_t one = 1;
    (void)!::write(m_wake.get(), &one, sizeof(one)); // An eventfd takes it unless it is full.
}

void Watch::serve()
{
    while (true) {
        epoll_event event{};
        if (::epoll_wait(m_poll.get(), &event, 1, -1) != 1)
            continue; // EINTR
        if (event.data.u64 == EndEvent)
            return;
        notice(event.data.u64);
    }
}

void Watch::notice(Id event)
{
    const std::lock_guard lock(m_mutex);
    const auto found = std::ranges::find_if(
        m_watched, [&](const auto& entry) { return entry.second.event == event; });
    if (found == m_watched.end())
        return;
    const auto ids = found->second.ids;
    forget(found->first);
    for (const Id id : ids) {
        const auto callback = m_callbacks.extract(id);
        if (callback)
            callback.mapped()();
    }
}

void Watch::forget(int descriptor)
{
    ::epoll_ctl(m_poll.get(), EPOLL_CTL_DEL, descriptor, nullptr);
    std::erase_if(m_processes, [&](const auto& entry) { return entry.second == descriptor; });
    m_watched.erase(descriptor);
}

Result<Watch::Id> Watch::add(int descriptor, std::function<void()> callback)
{
    const Id id = ++m_lastId;
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP;
    // Not the descriptor, which may be another's by the time that the event is looked at.
    event.data.u64 = id;
    if (!m_watched.contains(descriptor) &&
        ::epoll_ctl(m_poll.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
        return fail(code::SystemCallFailed, {{"call", "epoll_ctl"}}, errnoText(errno));
    Watched& watched = m_watched.try_emplace(descriptor, Watched{id}).first->second;
    watched.ids.push_back(id);
    m_callbacks[id] = std::move(callback);
    return id;
}

Result<Watch::Id> Watch::watch(int descriptor, std::function<void()> readable)
{
    const std::lock_guard lock(m_mutex);
    return add(descriptor, std::move(readable));
}

Result<Watch::Id> Watch::watch(const ProcessIdentity& process, std::function<void()> ended)
{
    const std::lock_guard lock(m_mutex);
    const auto known = m_processes.find(process);
    if (known != m_processes.end())
        return add(known->second, std::move(ended));
    FileDescriptor descriptor = pidfdOf(process.pid);
    // Looked at after it was opened: the number may have gone to another process before.
    if (!isAlive(process)) {
        ended();
        return Id{0};
    }
    if (!descriptor.isOpen())
        return fail(code::SystemCallFailed, {{"call", "pidfd_open"}}, errnoText(errno));
    const int number = descriptor.get();
    const Id id = RM_TRY(add(number, std::move(ended)));
    m_watched[number].process = std::move(descriptor);
    m_processes[process] = number;
    return id;
}

void Watch::stop(Id id)
{
    const std::lock_guard lock(m_mutex);
    m_callbacks.erase(id);
    for (auto& [descriptor, watched] : m_watched) {
        if (std::erase(watched.ids, id) == 0)
            continue;
        if (watched.ids.empty())
            forget(descriptor);
        return;
    }
}

} // namespace ringmaster::ring
