#include "engine/node/WaitReminder.h"

#include <algorithm>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LongestReminder = 5min;

} // namespace

WaitReminder::WaitReminder(EventLoop& loop, const Clock& clock, const RunSnapshot& snapshot,
                           Tell tell, std::chrono::nanoseconds first)
    : m_loop(loop), m_clock(clock), m_snapshot(snapshot), m_tell(std::move(tell)), m_first(first)
{
}

void WaitReminder::verdictsChanged()
{
    const StandingVerdict* waits = standing();
    const std::uint64_t id = waits == nullptr ? 0 : waits->verdict.id;
    if (std::exchange(m_remindsOf, id) == id)
        return;
    m_timer.cancel();
    if (waits != nullptr)
        schedule(m_first);
}

const StandingVerdict* WaitReminder::standing() const
{
    const auto found = std::ranges::find_if(m_snapshot.verdicts, [](const auto& known) {
        return known.verdict.statement.parameters.contains("since");
    });
    return found == m_snapshot.verdicts.end() ? nullptr : &*found;
}

void WaitReminder::schedule(std::chrono::nanoseconds delay)
{
    m_timer = m_loop.callAfter(delay, [this, delay] {
        const StandingVerdict* waits = standing();
        if (waits == nullptr) {
            m_remindsOf = 0;
            m_timer.cancel();
            return;
        }
        m_tell(*waits, m_clock.now().monotonicNs);
        schedule(std::min<std::chrono::nanoseconds>(delay * 2, LongestReminder));
    });
}

} // namespace ringmaster
