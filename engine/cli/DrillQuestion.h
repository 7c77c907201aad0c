#pragma once

#include "engine/event/Command.h"
#include "engine/event/Snapshot.h"

#include <string>

namespace ringmaster {

/// What a fire drill would do to this run, as a question: which rank, and what that costs.
std::string drillQuestion(const RunSnapshot& run, const BeginDrill& drill);

/// On a terminal, no line but "y" or "yes" agrees.
bool agreesToDrill(const std::string& question);

} // namespace ringmaster
