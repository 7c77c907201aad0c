#pragma once

#include <cstdint>

namespace ringmaster {

/// Of counts that a file names: what is more than `most` is that.
constexpr std::uint64_t boundedProduct(std::uint64_t one, std::uint64_t other, std::uint64_t most)
{
    return other != 0 && one > most / other ? most : one * other;
}

} // namespace ringmaster
