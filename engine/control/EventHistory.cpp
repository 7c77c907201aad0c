#include "engine/control/EventHistory.h"

#include <algorithm>

namespace ringmaster {

bool EventHistory::append(Event event)
{
    if (!m_events.empty() && event.runSequence != lastSequence() + 1)
        return false;
    m_events.push_back(std::make_shared<const Event>(std::move(event)));
    if (m_events.size() > m_limit)
        m_events.pop_front();
    return true;
}

bool EventHistory::reachesBackTo(std::uint64_t sequence) const
{
    return m_events.empty() ? sequence == 0 : m_events.front()->runSequence <= sequence + 1;
}

std::vector<std::shared_ptr<const Event>> EventHistory::after(std::uint64_t sequence,
                                                              size_t limit) const
{
    if (m_events.empty() || sequence >= lastSequence())
        return {};
    const std::uint64_t oldest = m_events.front()->runSequence;
    const size_t first = sequence < oldest ? 0 : static_cast<size_t>(sequence + 1 - oldest);
    const size_t count = std::min(limit, m_events.size() - first);
    const auto begin = m_events.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

std::uint64_t EventHistory::lastSequence() const
{
    return m_events.empty() ? 0 : m_events.back()->runSequence;
}

} // namespace ringmaster
