#include "engine/collective/WorkQueue.h"

#include "engine/collective/ring/ServiceThread.h"

#include <exception>
#include <utility>

namespace ringmaster::collective {

WorkQueue::~WorkQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    m_changed.notify_all();
}

void WorkQueue::run(std::function<void()> job, Mode mode)
{
    std::unique_lock lock(m_mutex);
    // What a job of the own thread brings nobody else would run. It goes before what waits: how
    // much of that has come by then differs from rank to rank.
    if (isOwnThread() || (mode == Mode::AtOnce && !m_isBusy && m_jobs.empty()))
        return runHere(job, lock);
    if (!m_thread.joinable())
        m_thread = ring::startServiceThread("rm-ring", [this] { serve(); });
    if (mode == Mode::AtOnce) {
        runAndWait(std::move(job), lock);
        return;
    }
    m_jobs.push_back(std::move(job));
    m_changed.notify_all();
}

bool WorkQueue::isOwnThread() const
{
    return std::this_thread::get_id() == m_thread.get_id();
}

void WorkQueue::runHere(const std::function<void()>& job, std::unique_lock<std::mutex>& lock)
{
    struct Busy // until the job has run, also by throwing
    {
        ~Busy()
        {
            lock.lock();
            queue.m_isBusy = wasBusy;
            queue.m_changed.notify_all();
        }
        WorkQueue& queue;
        std::unique_lock<std::mutex>& lock;
        bool wasBusy; // in a job that waits for this one
    };
    const Busy busy{*this, lock, std::exchange(m_isBusy, true)};
    lock.unlock();
    job();
}

void WorkQueue::runAndWait(std::function<void()> job, std::unique_lock<std::mutex>& lock)
{
    bool hasRun = false;
    std::exception_ptr thrown;
    m_jobs.emplace_back([&] {
        try {
            job();
        } catch (...) {
            thrown = std::current_exception();
        }
        const std::lock_guard done(m_mutex);
        hasRun = true;
        m_changed.notify_all();
    });
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return hasRun; });
    if (thrown)
        std::rethrow_exception(thrown);
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
        try {
            runHere(job, lock);
        } catch (...) { // NOLINT(bugprone-empty-catch): whoever waits for it has been told
        }
    }
}

} // namespace ringmaster::collective
