#include "app/model/LeadClock.h"

#include "engine/event/ClockDrift.h"

#include <algorithm>
#include <cstdlib>

namespace ringmaster::app {

Event LeadClock::onLead(Event event)
{
    const auto agent = m_agents.find(event.id.agent);
    if (agent == m_agents.end()) {
        m_lead = event.at;
        if (const auto* host = std::get_if<HostChanged>(&event.body))
            m_agents.try_emplace(host->agent);
        if (const auto* clock = std::get_if<ClockMeasured>(&event.body))
            measured(*clock);
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

void LeadClock::measured(const ClockMeasured& clock)
{
    Offset& known = m_agents[clock.agent];
    const std::int64_t moved =
        known.isMeasured ? std::abs(clock.monotonicOffsetNs - known.monotonicNs) : 0;
    known = {.isMeasured = true,
             .monotonicNs = clock.monotonicOffsetNs,
             .wallNs = clock.wallOffsetNs,
             .boundNs = clock.boundNs,
             .measuredNs = m_lead.monotonicNs,
             .movedNs = moved};
}

std::int64_t LeadClock::errorNs(const std::string& agent, std::int64_t atNs) const
{
    const auto known = m_agents.find(agent);
    if (known == m_agents.end() || !known->second.isMeasured)
        return 0;
    const Offset& offset = known->second;
    return clockErrorNs(offset.boundNs, offset.movedNs, atNs - offset.measuredNs);
}

std::int64_t LeadClock::errorNs(const std::string& one, const std::string& other,
                                std::int64_t atNs) const
{
    return one == other ? 0 : errorNs(one, atNs) + errorNs(other, atNs);
}

std::int64_t LeadClock::boundNs() const
{
    std::int64_t bound = 0;
    for (const auto& [agent, offset] : m_agents)
        bound = std::max(bound, offset.boundNs);
    return bound;
}

} // namespace ringmaster::app
