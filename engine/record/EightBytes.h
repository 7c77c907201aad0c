#pragma once

#include <cstdint>
#include <cstring>

namespace ringmaster {

/// Eight bytes of a text, looked at together.
inline std::uint64_t eightBytesAt(const char* place)
{
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, place, sizeof bytes);
    return bytes;
}

/// The same byte eight times.
constexpr std::uint64_t eightOf(std::uint64_t byte)
{
    return byte * 0x0101010101010101U;
}

/// Not zero: a byte of them is zero.
constexpr std::uint64_t zeroBytesIn(std::uint64_t bytes)
{
    return (bytes - eightOf(1)) & ~bytes & eightOf(0x80);
}

} // namespace ringmaster
