#pragma once

#include "tests/simulation/SimulatedLead.h"

namespace ringmaster::simulation {

/// One seed from its beginning to the end of everything in it.
struct Outcome
{
    std::string violation{}; ///< Empty: all claims held.
    std::string end{};
    std::uint64_t fingerprint = 0;
    std::int64_t endedAt = 0;
};

Outcome simulate(const Scenario& scenario, bool tracing);

} // namespace ringmaster::simulation
