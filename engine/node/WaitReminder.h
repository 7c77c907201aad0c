#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/event/Snapshot.h"

#include <functional>

namespace ringmaster {

/// Says again, ever less often, that ranks are still waited for. On the loop's thread.
class WaitReminder
{
public:
    using Tell = std::function<void(const StandingVerdict& verdict, std::int64_t nowNs)>;

    WaitReminder(EventLoop& loop, const Clock& clock, const RunSnapshot& snapshot, Tell tell);

    /// What stands has changed.
    void verdictsChanged();

private:
    void schedule(std::chrono::nanoseconds delay);

    EventLoop& m_loop;
    const Clock& m_clock;
    const RunSnapshot& m_snapshot;
    Tell m_tell;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
