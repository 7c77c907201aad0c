#include "engine/base/LoopInbox.h"

namespace ringmaster {

LoopInbox::LoopInbox(EventLoop& loop) : m_loop(loop) {}

void LoopInbox::leave(EventLoop::Task task)
{
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back(std::move(task));
    if (m_tasks.size() == 1)
        m_loop.post([this] { runAll(); });
}

void LoopInbox::runAll()
{
    std::vector<EventLoop::Task> tasks;
    {
        const std::lock_guard lock(m_mutex);
        tasks.swap(m_tasks);
    }
    for (const EventLoop::Task& task : tasks)
        task();
}

} // namespace ringmaster
