#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ringmaster::diagnose {

/// What is between two equal rounds of calls.
struct RoundPause
{
    std::int64_t ns = 0;     ///< Without a call in flight.
    bool isInFlight = false; ///< The round began while a call before it was.
};

/// So many rounds are one step, and the first one of a step is at `first`, counted modulo that.
struct PauseFold
{
    size_t together = 0;
    size_t first = 0;
};

/// Looks whether a longer pause comes regularly, after so many rounds that follow each other
/// without the program's computing much, or while calls are in flight. Nothing where it doesn't.
/// Pure.
///
/// The number is found by folding, as periods are in noisy series: "Period determination using
/// phase dispersion minimization", R. F. Stellingwerf, Astrophysical Journal 224, 953 (1978). The
/// dispersion is that of ranks, as in "Use of ranks in one-criterion variance analysis", W. H.
/// Kruskal and W. A. Wallis, JASA 47, 583 (1952): a busy machine stretches single pauses beyond all
/// measure.
std::optional<PauseFold> foldOf(std::span<const RoundPause> pauses, size_t leastSteps);

} // namespace ringmaster::diagnose
