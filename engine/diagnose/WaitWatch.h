#pragma once

#include "engine/diagnose/Verdict.h"
#include "engine/diagnose/Waits.h"

#include <map>
#include <set>

namespace ringmaster::diagnose {

/// Says who waits for whom, once a wait, and when that is proved to be a hang. A rank that computes
/// or sleeps only keeps the others waiting: that is no verdict. Pure: the caller brings time and
/// facts.
class WaitWatch
{
public:
    struct Limits
    {
        std::chrono::nanoseconds waiting = std::chrono::seconds(3);
        std::chrono::nanoseconds idle = std::chrono::seconds(2); ///< See findCycle().
    };

    WaitWatch() = default;
    explicit WaitWatch(Limits limits) : m_limits(limits) {}

    std::vector<Verdict> look(const std::vector<RankView>& ranks, std::int64_t nowNs);
    /// The ranks are gone; nothing is said about what they waited for.
    void forget() { m_told.clear(); }

private:
    using Key = std::tuple<GroupKey, std::uint64_t, ledger::OperationKind, std::vector<int>>;
    struct Told
    {
        Wait wait{};
        bool isHang = false;
    };

    static Key keyOf(const Wait& wait);
    std::optional<Verdict> hangOf(const Wait& wait, const std::vector<RankView>& ranks,
                                  std::int64_t nowNs) const;

    Limits m_limits{};
    std::map<Key, Told> m_told;
    std::set<std::vector<int>> m_cyclesTold;
};

} // namespace ringmaster::diagnose
