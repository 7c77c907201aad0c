#include "engine/lead/LastCall.h"

namespace ringmaster {

void LastCall::waits(std::int64_t nowNs)
{
    if (m_waitsSinceNs == 0)
        m_waitsSinceNs = nowNs;
}

void LastCall::again(std::int64_t nowNs)
{
    if (m_waitsSinceNs != 0)
        m_waitsSinceNs = nowNs;
}

bool LastCall::isJoinOver(std::int64_t nowNs) const
{
    return m_waitsSinceNs != 0 && nowNs - m_waitsSinceNs > m_limits.join.count();
}

bool LastCall::isOver(size_t ready, bool isAnyExpected, bool isFirst, std::int64_t nowNs)
{
    if (static_cast<int>(ready) < m_limits.nodes.min) {
        m_callSinceNs = 0;
        return false;
    }
    if (m_callSinceNs == 0)
        m_callSinceNs = nowNs;
    const Duration call = isFirst ? m_limits.first : m_limits.later;
    const bool isFull = static_cast<int>(ready) >= m_limits.nodes.max;
    // Who is there goes on rather than give up for want of others that aren't needed.
    const bool isLate = nowNs - m_callSinceNs >= call.count() || isJoinOver(nowNs);
    return isFull || !isAnyExpected || isLate;
}

} // namespace ringmaster
