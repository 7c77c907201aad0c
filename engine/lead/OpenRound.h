#pragma once

#include "engine/lead/RoundCuts.h"

#include <cstdint>
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
    RoundCuts cuts{};

    Part* find(const std::string& agent);
    bool hasAnyFinished() const;
    bool haveAllFinished() const;
};

} // namespace ringmaster
