#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/Thread.h"

#include <thread>

namespace ringmaster {

/// An EventLoop with a thread of its own, which has a name. What is posted after stop() has begun
/// is destroyed unrun.
class LoopThread
{
public:
    /// Throws std::system_error where there is no thread.
    explicit LoopThread(const char* name)
        : m_thread(startThreadOrThrow(name, [this] { m_loop.run(); }))
    {
    }

    ~LoopThread() { stop(); }
    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    /// The task that runs is the last one. Not from the thread itself.
    void stop()
    {
        if (!m_thread.joinable())
            return;
        m_loop.stop();
        m_thread.join();
    }

    EventLoop& loop() { return m_loop; }
    void post(EventLoop::Task task) { m_loop.post(std::move(task)); }

private:
    EventLoop m_loop;
    std::thread m_thread;
};

} // namespace ringmaster
