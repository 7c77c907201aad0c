#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace ringmaster::ledger {

/// Moments of a GPU's clock as moments of this machine's. Whoever hears of a moment hears of it
/// later than it was, so the smallest difference of the last seconds is the nearest to the truth.
class DeviceClock
{
public:
    /// Now, by this machine's clock, a moment of the GPU's was told.
    void heard(std::int64_t deviceNs, std::int64_t nowNs)
    {
        constexpr std::int64_t Window = 10'000'000'000;
        if (nowNs - m_windowBegan > Window) {
            m_earlier = m_current;
            m_current = std::numeric_limits<std::int64_t>::max();
            m_windowBegan = nowNs;
        }
        m_current = std::min(m_current, nowNs - deviceNs);
    }

    std::int64_t here(std::int64_t deviceNs) const
    {
        return deviceNs + std::min(m_current, m_earlier);
    }

private:
    std::int64_t m_windowBegan = 0;
    std::int64_t m_current = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_earlier = std::numeric_limits<std::int64_t>::max();
};

} // namespace ringmaster::ledger
