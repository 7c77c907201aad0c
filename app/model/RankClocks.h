#pragma once

#include "app/model/LeadClock.h"
#include "engine/control/OperationSummary.h"
#include "engine/event/Snapshot.h"

#include <map>

namespace ringmaster::app {

/// How well the times of ranks on several hosts compare; those of one host have one clock.
class RankClocks
{
public:
    RankClocks() = default;
    RankClocks(const RunSnapshot& run, LeadClock clock);

    /// What lies between two ranks' times may be wrong by so much; 0: they have the same clock.
    std::int64_t errorNs(int rank, int other, std::int64_t atNs) const;
    /// The most between its last rank and any other.
    std::int64_t errorNs(const OperationSummary::Collective& collective) const;
    /// That its last rank was the last.
    bool isCertain(const OperationSummary::Collective& collective) const;

private:
    std::map<int, std::string> m_agents; ///< By rank.
    LeadClock m_clock;
};

} // namespace ringmaster::app
