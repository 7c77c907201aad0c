#pragma once

#include <cstdint>

namespace ringmaster {

/// What is known of how two machines' clocks compare is off by this part of the time since: they
/// drift apart, by a ten-thousandth at most where nobody sets them.
constexpr std::int64_t ClockDriftPart = 10'000;

/// By how much another machine's times may be wrong once they are put on this one's clock: the
/// bound of the latest reading, how far that moved the one before, and the drift in the time
/// between.
constexpr std::int64_t clockErrorNs(std::int64_t boundNs, std::int64_t movedNs,
                                    std::int64_t elapsedNs)
{
    return boundNs + movedNs + (elapsedNs < 0 ? -elapsedNs : elapsedNs) / ClockDriftPart;
}

} // namespace ringmaster
