#pragma once

#include "engine/agent/AgentOptions.h"
#include "engine/agent/LaunchPlan.h"
#include "engine/base/Codes.h"

namespace ringmaster {

/// Whether the workers of an attempt may be forked from the warm starter, and what to ask it for.
/// An error is why not; code::None where nobody has asked. May write the folder that a worker would
/// have inherited into its launch.
Result<WarmRequest> warmRequestOf(const JobSpec& spec, const AgentOptions& options,
                                  LaunchPlan& plan);

} // namespace ringmaster
