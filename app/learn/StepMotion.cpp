#include "app/learn/StepMotion.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

StepMotion::StepMotion(std::chrono::milliseconds perStep, size_t shown, size_t last,
                       Clock::time_point now)
    : m_perStep(perStep), m_shown(std::min(shown, last)), m_last(last), m_start(now)
{
    pace();
}

void StepMotion::pace()
{
    const auto count = static_cast<double>(m_last - m_shown);
    m_each = count == 0 ? Seconds(0) : std::min(m_perStep, Seconds(Longest) / count);
}

void StepMotion::extend(size_t last, Clock::time_point now)
{
    if (last <= m_last)
        return;
    const Place place = at(now);
    const bool isWhole = place.progress >= 1;
    m_shown = isWhole ? place.step : place.step - 1;
    m_last = last;
    pace();
    const Seconds done = isWhole ? Seconds(0) : m_each * place.progress;
    m_start = now - std::chrono::duration_cast<Clock::duration>(done);
}

StepMotion::Place StepMotion::at(Clock::time_point now) const
{
    if (m_last == m_shown || m_each <= Seconds(0))
        return {m_last, 1};
    const double steps = std::max(0.0, Seconds(now - m_start) / m_each);
    const auto count = static_cast<double>(m_last - m_shown);
    if (steps >= count)
        return {m_last, 1};
    return {m_shown + 1 + static_cast<size_t>(steps), steps - std::floor(steps)};
}

} // namespace ringmaster::app
