#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

/// A job as a script for sbatch that needs nothing but torch on the nodes: one torchrun a node,
/// which meet on the first. Values of secret variables aren't in it: they come from where sbatch is
/// called.
struct SbatchScript
{
    std::string text{};
    std::vector<Message> cannotSay{};
    std::vector<Message> needs{}; ///< As CommandLine's.
};

/// What is asked of sbatch, beside the name: one option a word.
std::vector<std::string> slurmRequest(const JobSpec& spec);

/// Refuses what would be read as something else than one option.
Result<SbatchScript> toSbatchScript(const JobSpec& spec);

} // namespace ringmaster
