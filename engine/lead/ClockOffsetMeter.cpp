#include "engine/lead/ClockOffsetMeter.h"

#include "engine/event/ClockDrift.h"

namespace ringmaster {

namespace {

/// Clocks that are known better needn't be compared again.
constexpr std::int64_t WorthMeasuringNs = 2'000'000;

} // namespace

std::optional<ClockMeasured> ClockOffsetMeter::answered(const Moment& there, const Moment& now)
{
    const std::int64_t bound = (now.monotonicNs - m_askedAt.monotonicNs) / 2;
    const std::int64_t aged = clockErrorNs(m_boundNs, 0, now.monotonicNs - m_measuredNs);
    const bool isBetter = bound < m_boundNs / 2;
    const bool isDue = aged > WorthMeasuringNs && bound < aged / 2;
    if (m_boundNs != 0 && !isBetter && !isDue)
        return {};
    m_boundNs = bound;
    m_measuredNs = now.monotonicNs;
    return ClockMeasured{.agent = m_agent,
                         .monotonicOffsetNs = there.monotonicNs - m_askedAt.monotonicNs - bound,
                         .wallOffsetNs = there.wallNs - m_askedAt.wallNs - bound,
                         .boundNs = bound};
}

} // namespace ringmaster
