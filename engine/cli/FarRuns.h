#pragma once

#include "engine/control/MachineExport.h"
#include "engine/control/RunComparison.h"

namespace ringmaster {

// Runs of another machine, for a command that is carried out here. Both wait for the answer.

Result<MachineExport::Outcome> exportFromThere(MachineExport::Request request);

/// `run`: as a person calls it there, see chooseRun(). It is read there; what comes is what a
/// comparison shows.
Result<ComparedRun> compareThere(const std::string& machine, const std::string& run);

} // namespace ringmaster
