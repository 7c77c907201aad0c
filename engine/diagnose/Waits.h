#pragma once

#include "engine/diagnose/RankView.h"

#include <chrono>
#include <set>

namespace ringmaster::diagnose {

/// An operation that some ranks are in, and that others haven't entered; or that all are in.
struct Wait
{
    GroupKey group{};
    Operation operation{};      ///< As the one who waits longest called it.
    std::vector<int> waiting{}; ///< They are in it.
    std::vector<int> absent{};  ///< Empty: nobody.
    std::int64_t sinceNs = 0;   ///< When the first came.
    std::int64_t lastNs = 0; ///< When the last of those who wait came; if nobody is absent, of all.
};

/// Those that last longer than `threshold` (init_process_group: three times as long, and as long as
/// the others took one after the other), the longest first; with those that all ranks are in, as
/// far as that is known. Pure.
std::vector<Wait> findWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                            std::chrono::nanoseconds threshold);

/// Whether that rank's operation is the one that is waited in.
bool isOf(const Wait& wait, const RankView& view, const Operation& operation);

/// How that rank's operation has ended; null: it hasn't, or too much has come since.
const Operation* endOf(const Wait& wait, const RankView& view);

/// Whether all who waited have got what they waited for.
bool isOver(const Wait& wait, const std::vector<RankView>& ranks);

/// One rank that waits for another.
struct WaitEdge
{
    int waiting = 0;
    int absent = 0;
    const Wait* wait = nullptr; ///< Of those that were given.
};

/// Ranks that wait for each other in a circle, in its order; empty: none. Only ranks that are
/// certain to stand in the call, and have used no CPU time for `idle`, wait: others may have called
/// ahead. `without`: of the waits, these don't count. `told`: the circle that was found before, in
/// its order; it is the one that is found as long as it is one.
std::vector<WaitEdge> findCycle(const std::vector<Wait>& waits, const std::vector<RankView>& ranks,
                                std::chrono::nanoseconds idle,
                                const std::set<const Wait*>& without = {},
                                const std::vector<int>& told = {});

/// Whether a rank can go on only when the other one does: it waits for that one, or for a rank that
/// does. As far as is certain, as above.
bool waitsFor(int rank, int other, const std::vector<Wait>& waits,
              const std::vector<RankView>& ranks, std::chrono::nanoseconds idle);

} // namespace ringmaster::diagnose
