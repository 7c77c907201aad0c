#pragma once

#include "engine/base/Clock.h"
#include "engine/event/HostEvents.h"

#include <optional>
#include <string>

namespace ringmaster {

/// How an agent's clocks compare with this process's, measured as NTP does it: the answer was given
/// somewhere between the question and its arrival. Pure.
class ClockOffsetMeter
{
public:
    explicit ClockOffsetMeter(std::string agent) : m_agent(std::move(agent)) {}

    void asked(const Moment& at) { m_askedAt = at; }
    /// `there`: the agent's time when it answered. Nothing: the clocks are known better already.
    std::optional<ClockMeasured> answered(const Moment& there, const Moment& now);

private:
    const std::string m_agent;
    Moment m_askedAt{};
    std::int64_t m_boundNs = 0; ///< Of the last measurement that was told; 0: there is none.
    std::int64_t m_measuredNs = 0;
};

} // namespace ringmaster
