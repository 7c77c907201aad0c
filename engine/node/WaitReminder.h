#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/event/Snapshot.h"

#include <functional>

namespace ringmaster {

/// Says again, ever less often, that ranks are still waited for; counted from when that wait was
/// first stated. On the loop's thread.
class WaitReminder
{
public:
    using Tell = std::function<void(const StandingVerdict& verdict, std::int64_t nowNs)>;

    static constexpr std::chrono::seconds FirstReminder{10};

    WaitReminder(EventLoop& loop, const Clock& clock, const RunSnapshot& snapshot, Tell tell,
                 std::chrono::nanoseconds first = FirstReminder);

    /// What stands has changed.
    void verdictsChanged();

private:
    /// The weightiest; null: nobody waits.
    const StandingVerdict* standing() const;
    void schedule(std::chrono::nanoseconds delay);

    EventLoop& m_loop;
    const Clock& m_clock;
    const RunSnapshot& m_snapshot;
    Tell m_tell;
    std::chrono::nanoseconds m_first;
    std::uint64_t m_remindsOf = 0; ///< A verdict's id; 0: none.
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
