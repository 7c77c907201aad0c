#pragma once

#include "engine/attach/ForeignProcess.h"

#include <vector>

namespace ringmaster {

/// All processes of this machine that may be ranks or launchers: those with torch, those in whose
/// environment a rank stands, and what they descend from. Reads /proc: some tens of milliseconds
/// for a hundred processes. What ends meanwhile, or may not be read, is left out.
std::vector<ForeignProcess> readProcessTable();

} // namespace ringmaster
