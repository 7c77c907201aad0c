#pragma once

#include "engine/cli/Grade.h"

#include <string>
#include <vector>

namespace ringmaster {

/// One thing that was looked at.
struct DoctorFinding
{
    Grade grade = Grade::Good;
    std::string subject{};
    std::string text{};
    std::string remedy{}; ///< Empty where there is nothing to do.
};

/// Everything that matters to running jobs here. Blocks: interpreters are asked, GPUs too.
std::vector<DoctorFinding> examineMachine();

} // namespace ringmaster
