#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace ringmaster {

/// A copy of a log, and where its pieces are: of whole lines, as far as lines aren't very long.
struct LogCopy
{
    std::vector<std::uint64_t> ends{}; ///< Of the pieces, in the copy.
    bool isEndOnly = false;            ///< The beginning was left out.
};

/// At most so much of it, the end. What is no regular file isn't read.
Result<LogCopy> copyLog(const std::filesystem::path& from, const std::filesystem::path& to,
                        std::uint64_t most);

} // namespace ringmaster
