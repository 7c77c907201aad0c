#pragma once

#include "engine/cli/DoctorFindings.h"
#include "engine/machine/Interpreters.h"

namespace ringmaster {

/// What there is of recorder and ring for the torch of an interpreter; what isn't is compiled first
/// where that is asked for, which takes minutes. Blocks.
std::vector<DoctorFinding> torchObjects(const Interpreter& interpreter, MissingObjects missing);

} // namespace ringmaster
