#pragma once

#include <cstdint>
#include <string_view>

namespace ringmaster {

/// The hash FNV-1a of 64 bits (Fowler, Noll, Vo): short, and the same in every process. For names
/// of what is equal, never for what somebody might forge.
class Fnv1a
{
public:
    constexpr Fnv1a() = default;
    constexpr explicit Fnv1a(std::uint64_t basis) : m_value(basis) {}

    constexpr Fnv1a& add(std::string_view bytes)
    {
        for (const char byte : bytes)
            add(static_cast<unsigned char>(byte));
        return *this;
    }

    constexpr Fnv1a& add(unsigned char byte)
    {
        m_value = (m_value ^ byte) * 0x100'0000'01b3ULL;
        return *this;
    }

    constexpr std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf2'9ce4'8422'2325ULL;
};

} // namespace ringmaster
