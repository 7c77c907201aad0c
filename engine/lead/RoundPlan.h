#pragma once

#include "engine/event/HostEvents.h"
#include "engine/event/LeadCommands.h"

#include <vector>

namespace ringmaster {

/// What each node of a round is told: its ranks by torchelastic's rule, and where the first node's
/// store is. `offers` in the order of the group ranks, at least one; of `common`, what all are
/// told.
std::vector<BeginRound> roundsFor(const std::vector<RendezvousReport>& offers,
                                  const BeginRound& common);

} // namespace ringmaster
