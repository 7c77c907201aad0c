#pragma once

#include "engine/event/Event.h"

#include <map>
#include <string>

namespace ringmaster::app {

/// Brings the times of several hosts' events to one clock: that of their lead, as far as it has
/// measured how far theirs are ahead. Where it hasn't yet, the walls' clocks are trusted.
class LeadClock
{
public:
    /// The event with its time on the lead's clock; learns what it says about clocks.
    Event onLead(Event event);
    /// The truth is within so much of what is shown; 0: there is one clock only.
    std::int64_t boundNs() const;
    int hosts() const { return static_cast<int>(m_agents.size()); }

private:
    struct Offset
    {
        bool isMeasured = false;
        std::int64_t monotonicNs = 0;
        std::int64_t wallNs = 0;
        std::int64_t boundNs = 0;
    };

    Moment m_lead{}; ///< A moment of the lead's.
    std::map<std::string, Offset> m_agents;
};

} // namespace ringmaster::app
