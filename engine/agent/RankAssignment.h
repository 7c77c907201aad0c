#pragma once

#include "engine/event/Event.h"
#include "engine/job/JobSpec.h"
#include "engine/rendezvous/Rendezvous.h"

#include <vector>

namespace ringmaster {

/// What this node brings to the rendezvous: `workers` has one count for each role of the job.
NodeOffer offerOf(const JobSpec& spec, const std::vector<int>& workers);

/// The workers of this node in a round, by local rank: roles in the order of the job, ROLE_* within
/// a role over all nodes, LOCAL_RANK over the node. Log folders are not known yet.
Result<std::vector<WorkerAssignment>> assignRanks(const NodeOffer& offer, const Round& round);

} // namespace ringmaster
