#pragma once

#include "engine/diagnose/Waits.h"

#include <map>
#include <set>
#include <vector>

namespace ringmaster::diagnose {

/// Which waits come of which, at one look: a rank that waits itself isn't to blame for those that
/// wait for it, if its own wait leads to somebody who is. Pure.
class WaitGraph
{
public:
    using WaitSet = std::set<const Wait*>;

    /// Ranks and waits outlive this. `explained`: the waits whose reason is told by another
    /// verdict: a circle, calls that don't fit.
    WaitGraph(const std::vector<RankView>& ranks, const std::vector<Wait>& waits, WaitSet explained,
              std::chrono::nanoseconds idle);

    /// It lives, does nothing, and waits for somebody.
    bool waitsItself(int rank) const;

    /// Everybody who is absent waits for somebody, who is said to be waited for.
    bool isConsequence(const Wait& wait) const;

    /// Several calls of one group are in flight and miss the same ranks: the longest is told. Who
    /// waits there may not have made the later calls yet.
    static bool isSameAbsence(const Wait& wait, const Wait& longest);

    struct Consequences
    {
        std::vector<const Wait*> waits{}; ///< A few of them.
        std::vector<int> waiting{};       ///< In these, and in the wait that they come of.
    };

    /// Of this one, by way of those who wait there.
    Consequences consequencesOf(const Wait& root) const;

private:
    bool leadsToRoot(int rank, std::set<int>& ways) const;

    const std::vector<RankView>& m_ranks;
    const std::vector<Wait>& m_waits;
    const WaitSet m_explained;
    const std::chrono::nanoseconds m_idle;
    std::map<int, std::vector<const Wait*>> m_waitingFor; ///< By rank; of those that miss somebody.
};

} // namespace ringmaster::diagnose
