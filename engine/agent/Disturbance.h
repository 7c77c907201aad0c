#pragma once

#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"

#include <functional>

namespace ringmaster {

/// Holds one worker up for a while, as a fire drill asks: stopped, or again and again. Leaves
/// nobody stopped, whenever it ends. Lives on the loop's thread.
class Disturbance
{
public:
    using Signal = std::function<void(int number)>;

    explicit Disturbance(EventLoop& loop) : m_loop(loop) {}

    /// Of a drill that kills, nothing. `signal` reaches the worker.
    void begin(const BeginDrill& drill, Signal signal);
    /// The worker goes on.
    void end();

private:
    void hold(std::chrono::nanoseconds time);
    void letRun();

    EventLoop& m_loop;
    Signal m_signal{};              ///< Empty: there is none.
    EventLoop::Registration m_over; ///< The end of the whole.
    EventLoop::Registration m_next; ///< Of one that slows down.
};

} // namespace ringmaster
