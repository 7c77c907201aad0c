#pragma once

#include <cstdint>

namespace ringmaster {

/// What is known of how two machines' clocks compare is off by this part of the time since: they
/// drift apart, by a ten-thousandth at most where nobody sets them.
constexpr std::int64_t ClockDriftPart = 10'000;

} // namespace ringmaster
