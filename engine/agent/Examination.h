#pragma once

#include "engine/base/EventLoop.h"
#include "engine/event/Event.h"

#include <chrono>
#include <functional>
#include <utility>

namespace ringmaster {

/// Has workers looked at that are about to be ended, for a while at most; then goes on. Who ends
/// meanwhile, or whoever can't wait for it, goes on by another way. Lives on the loop's thread.
class Examination
{
public:
    /// What comes to workers that go on.
    enum class Ending {
        Asked, ///< The signal that asks them to end.
        Killed ///< They have ignored it.
    };

    /// Looks at them; `done` may come at once.
    using Look = std::function<void(const Message& why, Ending ending, std::function<void()> done)>;

    Examination(EventLoop& loop, Look look) : m_loop(loop), m_look(std::move(look)) {}

    /// `then` comes once, unless it is cancelled: at once where nobody looks, or without patience.
    void begin(const Message& why, Ending ending, std::chrono::nanoseconds patience,
               std::function<void()> then);
    void cancel();
    bool isOn() const { return m_isOn; }

private:
    EventLoop& m_loop;
    const Look m_look;
    bool m_isOn = false;
    int m_number = 0;
    EventLoop::Registration m_limit;
};

} // namespace ringmaster
