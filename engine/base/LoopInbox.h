#pragma once

#include "engine/base/EventLoop.h"

#include <mutex>
#include <vector>

namespace ringmaster {

/// Tasks that other threads leave for a loop's thread, run in order: soon, or now where the loop's
/// thread must have done all of them before it goes on. The loop outlives it.
class LoopInbox
{
public:
    explicit LoopInbox(EventLoop& loop);

    /// Any thread.
    void leave(EventLoop::Task task);

    /// The loop's thread.
    void runAll();

private:
    EventLoop& m_loop;
    std::mutex m_mutex;
    std::vector<EventLoop::Task> m_tasks;
};

} // namespace ringmaster
