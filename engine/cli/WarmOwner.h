#pragma once

#include "engine/job/JobSpec.h"
#include "engine/worker/warm/WarmRequest.h"

namespace ringmaster {

/// Where the command was started: for whom a warm starter may stay.
struct WarmCaller
{
    bool isForDashboard = false; ///< Which waits for this command, and so is its parent.
};

/// An error where starts are to be cold: nobody is there and nobody has asked; code::None where the
/// job says so.
/// To be asked before the process leaves its session.
Result<WarmSettings> warmSettingsOf(const JobSpec& spec, const WarmCaller& caller);

} // namespace ringmaster
