#pragma once

#include "engine/cli/Grade.h"

#include <string>
#include <vector>

namespace ringmaster {

/// One thing that was looked at.
struct Diagnosis
{
    Grade grade = Grade::Good;
    std::string subject{};
    std::string text{};
    std::string remedy{}; ///< Empty where there is nothing to do.
};

/// Everything that matters to running jobs here. Blocks: interpreters are asked, GPUs too.
std::vector<Diagnosis> examineMachine();

} // namespace ringmaster
