#pragma once

#include "engine/base/Error.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

struct SlurmError
{
    std::string field{}; ///< "slurm.time"
    Message what{};
};

/// What sbatch would refuse, or take for something else than one option.
std::vector<SlurmError> errorsOf(const SlurmSpec& slurm);

} // namespace ringmaster
