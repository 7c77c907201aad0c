#pragma once

#include <cstddef>
#include <cstdint>

namespace ringmaster::ring {

/// IEEE half precision to float and back, to the nearest, ties to even; by the processor where it
/// can.
void widenHalf(const std::uint16_t* halves, float* floats, std::size_t count);
void narrowHalf(const float* floats, std::uint16_t* halves, std::size_t count);

} // namespace ringmaster::ring
