#include "app/model/LeadClock.h"

#include <algorithm>

namespace ringmaster::app {

Event LeadClock::onLead(Event event)
{
    const auto agent = m_agents.find(event.id.agent);
    if (agent == m_agents.end()) {
        m_lead = event.at;
        if (const auto* host = std::get_if<HostChanged>(&event.body))
            m_agents.try_emplace(host->agent);
        if (const auto* clock = std::get_if<ClockMeasured>(&event.body))
            m_agents[clock->agent] = {true, clock->monotonicOffsetNs, clock->wallOffsetNs,
                                      clock->boundNs};
        return event;
    }
    const Offset& offset = agent->second;
    if (offset.isMeasured) {
        event.at.monotonicNs -= offset.monotonicNs;
        event.at.wallNs -= offset.wallNs;
    } else {
        event.at.monotonicNs = m_lead.monotonicNs + (event.at.wallNs - m_lead.wallNs);
    }
    return event;
}

std::int64_t LeadClock::boundNs() const
{
    std::int64_t bound = 0;
    for (const auto& [agent, offset] : m_agents)
        bound = std::max(bound, offset.boundNs);
    return bound;
}

} // namespace ringmaster::app
