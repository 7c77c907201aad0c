#pragma once

#include "engine/diagnose/RankView.h"

#include <chrono>

namespace ringmaster::diagnose {

/// An operation that some ranks are in and others haven't entered.
struct Wait
{
    GroupKey group{};
    Operation operation{}; ///< As the one who waits longest called it.
    std::vector<int> waiting{};
    std::vector<int> absent{};
    std::int64_t sinceNs = 0; ///< When the first came.
};

/// Those that last longer than `threshold`, the longest first. Pure.
std::vector<Wait> findWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                            std::chrono::nanoseconds threshold);

/// Ranks that wait for each other in a circle, in its order; empty: none. Only ranks that have
/// used no CPU time for `idle` are really waiting: others may have called ahead.
std::vector<int> findCycle(const std::vector<Wait>& waits, const std::vector<RankView>& ranks,
                           std::chrono::nanoseconds idle);

/// "all_reduce", or what a custom operation calls itself.
std::string nameOf(const Operation& operation);
/// "float32, 1000 elements"; "no data"
std::string dataText(const Operation& operation);

} // namespace ringmaster::diagnose
