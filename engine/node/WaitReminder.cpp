#include "engine/node/WaitReminder.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto FirstReminder = 10s;
constexpr auto LongestReminder = 5min;

} // namespace

WaitReminder::WaitReminder(EventLoop& loop, const Clock& clock, const RunSnapshot& snapshot,
                           Tell tell)
    : m_loop(loop), m_clock(clock), m_snapshot(snapshot), m_tell(std::move(tell))
{
}

void WaitReminder::verdictsChanged()
{
    if (!m_timer.isActive())
        schedule(FirstReminder);
}

void WaitReminder::schedule(std::chrono::nanoseconds delay)
{
    m_timer = m_loop.callAfter(delay, [this, delay] {
        const auto& standing = m_snapshot.verdicts;
        const auto waits = std::ranges::find_if(standing, [](const StandingVerdict& known) {
            return known.verdict.statement.parameters.contains("since");
        });
        if (waits == standing.end()) {
            m_timer.cancel();
            return;
        }
        m_tell(*waits, m_clock.now().monotonicNs);
        schedule(std::min<std::chrono::nanoseconds>(delay * 2, LongestReminder));
    });
}

} // namespace ringmaster
