#pragma once

#include <algorithm>
#include <cstdint>

namespace ringmaster {

/// A clock that begins with its machine shows so much after 73 years: what says more is wrong.
/// Moments that are less have differences and sums that are numbers.
constexpr std::int64_t LatestNs = std::int64_t(1) << 61;

constexpr bool isMoment(std::int64_t ns)
{
    return -LatestNs <= ns && ns <= LatestNs;
}

/// Of durations; no more than LatestNs, however long a ledger says that they were.
constexpr std::int64_t sumNs(std::int64_t one, std::int64_t other)
{
    const auto bounded = [](std::int64_t ns) { return std::clamp(ns, -LatestNs, LatestNs); };
    return bounded(bounded(one) + bounded(other));
}

} // namespace ringmaster
