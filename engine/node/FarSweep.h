#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

namespace ringmaster {

/// Makes a sweep that another machine asks for one of this machine: its worker is the one that came
/// with the agent, and the torch that it needs is the interpreter's. Any other job stays as it is.
/// Blocks for a moment.
Result<void> settleFarSweep(JobSpec& spec, const std::string& interpreter,
                            const EnvironmentMap& environment);

/// Shows the worker of a sweep of this machine where the active interpreter's torch is: an
/// installed one doesn't know. Any other job stays as it is. Blocks for a moment.
Result<void> settleSweep(JobSpec& spec, const EnvironmentMap& environment);

} // namespace ringmaster
