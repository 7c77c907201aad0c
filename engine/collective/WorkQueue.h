#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace ringmaster::collective {

/// Runs the collectives of a group one after the other, in the order in which they came: in a
/// thread of its own, or at once on the caller's when nothing waits, which spares a small
/// operation two changes of thread.
class WorkQueue
{
public:
    enum class Mode { Background, AtOnce };

    ~WorkQueue(); ///< Ends when all that came has run.

    /// AtOnce returns when the job has run, and throws what it throws. From within a job in the
    /// background, either mode does, before anything else runs. One that throws in the background
    /// has told whoever waits for it; the next one runs all the same.
    void run(std::function<void()> job, Mode mode);

private:
    void serve();
    bool isOwnThread() const;
    void runHere(const std::function<void()>& job, std::unique_lock<std::mutex>& lock);
    void runAndWait(std::function<void()> job, std::unique_lock<std::mutex>& lock);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_jobs;
    bool m_isBusy = false;
    bool m_isStopping = false;
    std::jthread m_thread;
};

} // namespace ringmaster::collective
