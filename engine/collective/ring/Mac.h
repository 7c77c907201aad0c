#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ringmaster::ring {

using Secret = std::array<std::uint8_t, 16>;

/// SipHash-2-4: proves over a network who knows the secret, without showing it.
std::uint64_t authenticationCode(const Secret& secret, std::span<const std::byte> message);

} // namespace ringmaster::ring
