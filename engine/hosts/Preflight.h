#pragma once

#include "engine/hosts/HostProbe.h"
#include "engine/hosts/HostReport.h"

#include <vector>

namespace ringmaster {

/// What the hosts have said, host by host and pair by pair. Pure. The first host that answers is
/// what the others are compared with.
std::vector<PreflightFinding> judge(const std::vector<ProbedHost>& answers);

} // namespace ringmaster
