#pragma once

#include "engine/job/WorkerCounts.h"
#include "engine/job/WorkerEnvironment.h"

namespace ringmaster {

/// Where a rank of a job on one node would stand.
struct WorkerPlace
{
    size_t role = 0;
    PlacementFacts facts{};
};

/// What a start decides is described: `<chosen at the start>`.
Result<WorkerPlace> placeOf(const JobSpec& spec, int rank, const MachineCounts& machine);

} // namespace ringmaster
