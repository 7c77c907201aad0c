#pragma once

#include "engine/base/Error.h"
#include "engine/diagnose/WaitGraph.h"

namespace ringmaster::diagnose {

struct WaitLimits
{
    std::chrono::nanoseconds waiting = std::chrono::seconds(3);
    std::chrono::nanoseconds idle = std::chrono::seconds(2); ///< See findCycle().
    /// For how long a rank has to do nothing, and how often its usual pause.
    std::chrono::nanoseconds stuck = std::chrono::seconds(10);
    int timesUsual = 10;
};

/// Whether a wait is proved to be a hang, and by whom: ranks that are dead or stopped, or that do
/// nothing at one place for longer than is usual. Pure; of one look.
class HangFinder
{
public:
    /// Who can't come, or go on, and the code that says so.
    struct Proof
    {
        std::vector<const RankView*> views{}; ///< Empty: there is none.
        Code code = code::None;

        bool isThere() const { return !views.empty(); }
        bool isSure() const; ///< What a device does isn't seen.
        std::vector<int> ranks() const;
        std::vector<int> stopped() const;
        Message remedy() const;
    };

    /// All outlive this.
    HangFinder(const std::vector<RankView>& ranks, const WaitGraph& graph, const WaitLimits& limits,
               std::int64_t nowNs)
        : m_ranks(ranks), m_graph(graph), m_limits(limits), m_nowNs(nowNs)
    {
    }

    /// That those who are absent can't come.
    Proof proofOfAbsence(const Wait& wait) const;
    /// That those who have entered it can't go on.
    Proof proofInside(const Wait& wait) const;

    /// All who are absent, but for those who wait themselves; with a proof, but for those who may
    /// still come.
    std::vector<int> guiltyOf(const Wait& wait, const Proof& proof) const;
    /// All who are absent do nothing, but may go on by themselves.
    bool areAllQuiet(const Wait& wait) const;
    /// Of those who have entered it nobody does anything, for longer than it usually takes.
    bool areAllStuck(const Wait& wait) const;

private:
    Proof proofOf(const std::vector<int>& of, Code dead, Code stopped) const;
    /// For how long it has certainly done nothing at one place.
    std::int64_t stuckNs(const RankView& view) const;
    bool isIdle(const RankView& view, const GroupKey& group) const;
    bool comesAfterAnother(const RankView& view, const GroupKey& group) const;
    bool mayGoOn(const RankView& view, const GroupKey& group) const;

    const std::vector<RankView>& m_ranks;
    const WaitGraph& m_graph;
    const WaitLimits& m_limits;
    std::int64_t m_nowNs;
};

} // namespace ringmaster::diagnose
