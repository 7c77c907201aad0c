#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster::collective {

/// What a worker of a sweep is asked for, by its command line (engine/job/Sweep.h writes it) and
/// its place, by torchrun's variables.
struct SweepOptions
{
    std::vector<std::string> collectives{};
    std::vector<std::string> backends{};
    std::vector<std::int64_t> sizes{};
    std::string type{};
    std::string reduction{};
    int iterations = 0; ///< 0: as many as fit in a moment.
    int warmup = 0;
    bool isChecked = false;

    int rank = 0;
    int ranks = 1;
    int localRank = 0;
    std::string masterAddress{};
    int masterPort = 0;
    std::string restartCount{}; ///< A start has keys of its own in the store.
    std::string reportFile{};   ///< Where the agent reads rows; empty: nowhere.
};

/// Empty where it isn't set.
std::string environmentVariable(const char* name);

/// What stands between the commas, without what is empty.
std::vector<std::string> listOf(const std::string& text);

Result<SweepOptions> readSweepOptions(const std::vector<std::string>& arguments);

} // namespace ringmaster::collective
