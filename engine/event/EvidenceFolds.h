#pragma once

#include "engine/event/Snapshot.h"

#include <vector>

namespace ringmaster {

/// Ranks that stood in the same place.
struct EvidenceFold
{
    std::vector<int> ranks{};
    /// Of the first of them; of the times in an operation, the longest.
    RankEvidence common{};
};

/// Equal stacks and operations, each once; in the order of their first ranks. Of more than
/// MostFolds the last are left out.
constexpr size_t MostFolds = 256;
std::vector<EvidenceFold> foldsOf(const Evidence& evidence);

/// Evidence with its moment.
struct KeptEvidence
{
    Moment at{};
    Evidence evidence{};
    bool operator==(const KeptEvidence&) const = default;
};
RM_FIELDS(KeptEvidence, at, evidence);

/// What several agents took of one attempt at about the same time is one; events of other kinds
/// are passed over.
std::vector<KeptEvidence> gatheredEvidence(const std::vector<Event>& events);

/// Of these ranks alone; of none given: all.
Evidence onlyRanks(Evidence evidence, const std::vector<int>& ranks);

} // namespace ringmaster
