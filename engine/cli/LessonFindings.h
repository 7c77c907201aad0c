#pragma once

#include "engine/lesson/Recording.h"

#include <string>
#include <vector>

namespace ringmaster {

/// What is wrong with a lesson's run, line by line: what its calls amount to, hazards, deadlocks,
/// errors.
std::string findingsOf(const lesson::State& end);

/// What the diagnosis says of it, as of any job.
std::string judgementsOf(const lesson::Recording& recording);

/// "rank 3", "ranks 0-2"
std::string rankWords(const std::vector<int>& ranks);

} // namespace ringmaster
