#pragma once

#include "engine/base/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The last round of a job that has begun, until it is known how it ended.
struct OpenRound
{
    struct Part
    {
        std::string agent{};
        bool hasFinished = false;
    };

    std::uint64_t number = 0;
    std::vector<Part> parts{};
    bool stands = false; ///< Nobody was told to leave it, and nobody has failed in it.
    /// Why one of its hosts was cut off that is back, and since when.
    std::optional<Message> cut{};
    std::int64_t cutUntilNs = 0;
    std::optional<std::int64_t> unseenUntilNs{}; ///< All who work in it were cut off.
    std::int64_t failedAtNs = 0;                 ///< Its first worker group has failed.

    Part* find(const std::string& agent);
    bool hasAnyFinished() const;
    bool haveAllFinished() const;
};

} // namespace ringmaster
