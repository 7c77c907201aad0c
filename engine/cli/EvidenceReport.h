#pragma once

#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/event/EvidenceFolds.h"

#include <string>

namespace ringmaster {

/// Where ranks stood, in words: equal stacks once.
std::string evidenceText(const KeptEvidence& kept, const Terminal& terminal);
/// The same for a program, and each rank's own.
Json evidenceJson(const KeptEvidence& kept);

} // namespace ringmaster
