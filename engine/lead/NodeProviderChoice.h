#pragma once

#include "engine/hosts/NodeProvider.h"
#include "engine/lead/LeadOptions.h"

#include <memory>

namespace ringmaster {

/// Who gives a job its hosts, as the job says: the user, who has named them, or Slurm.
std::unique_ptr<NodeProvider> makeNodeProvider(const LeadOptions& options, EventLoop& loop);

} // namespace ringmaster
