#pragma once

#include "engine/base/Result.h"

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A warm starter of this user, as it describes itself.
struct StarterState
{
    pid_t pid = -1;
    std::string interpreter{}; ///< Empty while it still imports.
    std::string torch{};       ///< Version.
    int modules = 0;
    std::chrono::seconds age{};
    std::chrono::seconds idle{}; ///< Without a run.
    std::chrono::seconds longestIdle{};
    std::int64_t memory = 0;         ///< Its share, in bytes (PSS).
    std::vector<std::string> runs{}; ///< That have been forked from it.
    std::vector<std::string> leftOut{};
};

/// Asks each of them; waits at most `patience` for one that is busy with its imports.
Result<std::vector<StarterState>> listStarters(std::chrono::milliseconds patience);

/// Ends all; their workers go on. The answer is how many there were.
Result<int> endStarters(std::chrono::milliseconds patience);

} // namespace ringmaster
