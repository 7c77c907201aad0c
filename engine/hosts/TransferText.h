#pragma once

#include <cstdint>
#include <string>

namespace ringmaster {

/// Of what is sent to a host: "14 MiB", "3 KiB".
inline std::string transferText(std::uint64_t bytes)
{
    constexpr std::uint64_t Mebi = 1U << 20U;
    return bytes < Mebi ? std::to_string((bytes + 1023) / 1024) + " KiB"
                        : std::to_string((bytes + Mebi / 2) / Mebi) + " MiB";
}

} // namespace ringmaster
