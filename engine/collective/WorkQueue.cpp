#include "engine/collective/WorkQueue.h"

#include "engine/collective/ring/ServiceThread.h"

namespace ringmaster::collective {

WorkQueue::~WorkQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_changed.notify_all();
}

void WorkQueue::run(std::function<void()> job, Way way)
{
    std::unique_lock lock(m_mutex);
    if (way == Way::AtOnce && !m_isBusy && m_jobs.empty()) {
        m_isBusy = true;
        lock.unlock();
        job();
        lock.lock();
        m_isBusy = false;
        if (!m_jobs.empty())
            m_changed.notify_all();
        return;
    }
    if (!m_thread.joinable())
        m_thread = ring::startServiceThread("rm-ring", [this] { serve(); });
    if (way == Way::AtOnce) {
        runAndWait(std::move(job), lock);
        return;
    }
    m_jobs.push_back(std::move(job));
    m_changed.notify_all();
}

void WorkQueue::runAndWait(std::function<void()> job, std::unique_lock<std::mutex>& lock)
{
    bool hasRun = false;
    m_jobs.emplace_back([&] {
        job();
        const std::lock_guard done(m_mutex);
        hasRun = true;
        m_changed.notify_all();
    });
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return hasRun; });
}

void WorkQueue::serve()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return !m_isBusy && (!m_jobs.empty() || m_isStopping); });
        if (m_jobs.empty())
            return;
        const auto job = std::move(m_jobs.front());
        m_jobs.pop_front();
        m_isBusy = true;
        lock.unlock();
        job();
        lock.lock();
        m_isBusy = false;
        m_changed.notify_all();
    }
}

} // namespace ringmaster::collective
