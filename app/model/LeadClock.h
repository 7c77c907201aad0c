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
    /// By how much two agents' times may be wrong against each other at a moment, drift since and
    /// before the clocks were compared included; 0: both have the same clock.
    std::int64_t errorNs(const std::string& one, const std::string& other, std::int64_t atNs) const;
    int hosts() const { return static_cast<int>(m_agents.size()); }

private:
    struct Offset
    {
        bool isMeasured = false;
        std::int64_t monotonicNs = 0;
        std::int64_t wallNs = 0;
        std::int64_t boundNs = 0;
        std::int64_t measuredNs = 0; ///< On the lead's clock.
        std::int64_t movedNs = 0;    ///< What was set right before that may be off by it.
    };

    std::int64_t errorNs(const std::string& agent, std::int64_t atNs) const;

    void measured(const ClockMeasured& clock);

    Moment m_lead{}; ///< A moment of the lead's.
    std::map<std::string, Offset> m_agents;
};

} // namespace ringmaster::app
