#pragma once

#include "engine/job/HostReport.h"
#include "engine/launch/HostProbe.h"

#include <vector>

namespace ringmaster {

/// What the hosts have said, host by host and pair by pair. Pure. The first host that answers is
/// what the others are compared with.
std::vector<PreflightFinding> judge(const std::vector<ProbedHost>& answers);

} // namespace ringmaster
