#pragma once

#include "engine/job/JobSpec.h"
#include "engine/worker/warm/WarmRequest.h"

#include <optional>

namespace ringmaster {

/// Where the command was started: for whom a warm starter may stay.
struct WarmSurroundings
{
    bool isForDashboard = false; ///< Which waits for this command, and so is its parent.
};

/// Nothing where starts are to be cold: the job says so, or nobody is there and nobody has asked.
/// To be asked before the process leaves its session.
std::optional<WarmSettings> warmSettingsOf(const JobSpec& spec,
                                           const WarmSurroundings& surroundings);

} // namespace ringmaster
