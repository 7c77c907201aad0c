#pragma once

#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster {

/// What is asked of Slurm; what it isn't told it decides itself.
struct SlurmSpec
{
    std::string partition{};
    std::string account{};
    std::string time{};                 ///< As sbatch takes it: 90, 4:00:00, 2-12
    int gpusPerNode = 0;                ///< 0: as many as the workers' devices, else none.
    std::vector<std::string> options{}; ///< Further words of sbatch's: --constraint=a100

    bool operator==(const SlurmSpec&) const = default;
};

/// What sbatch would refuse, or take for something else than one option.
std::vector<Finding> errorsOf(const SlurmSpec& slurm);

} // namespace ringmaster
