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

enum class MissingObjects { Tell, Build };

/// Everything that matters to running jobs here. Blocks: interpreters are asked, GPUs too; with
/// Build, what is compiled for their torches and isn't there is compiled, which takes minutes.
std::vector<DoctorFinding> examineMachine(MissingObjects missing = MissingObjects::Tell);

} // namespace ringmaster
