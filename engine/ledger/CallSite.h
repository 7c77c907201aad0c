#pragma once

#include <cstdint>
#include <string>

namespace ringmaster {

/// Where the user's program called operations.
struct CallSite
{
    std::uint16_t site = 0; ///< In its ledger, from 1.
    std::string file{};
    std::string function{};
    std::uint32_t line = 0;

    bool operator==(const CallSite&) const = default;
};

} // namespace ringmaster
