#pragma once

#include "tests/simulation/Scenario.h"

#include <string>

namespace ringmaster::simulation {

/// What is left of a scenario when all goes that isn't needed for its violation: faults, incidents,
/// and what makes the job bigger. What is drawn may be another thing then; the violation is the
/// same, but for its numbers.
Scenario shrunk(Scenario scenario, const std::string& violation);

} // namespace ringmaster::simulation
