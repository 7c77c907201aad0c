#pragma once

#include "engine/cli/RunOptions.h"
#include "engine/job/JobSpec.h"

namespace ringmaster {

/// `ringmaster run --on MACHINE`: the program is brought there, the agent is started there, apart
/// from this process and from ssh; and unless it is detached the run is shown until its end. Its
/// exit code.
int runOnMachine(RunOptions options, const EnvironmentMap& environment);

} // namespace ringmaster
