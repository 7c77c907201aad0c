#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// More aren't believed.
constexpr std::uint32_t MostGroupMembers = 1U << 16U;

/// A process group as its worker described it.
struct LedgerGroup
{
    std::uint32_t group = 0;
    std::string name{};
    std::vector<int> members{}; ///< Global ranks by rank in the group; empty: unknown.

    bool operator==(const LedgerGroup&) const = default;
};

} // namespace ringmaster
