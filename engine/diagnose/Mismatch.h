#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/VerdictCandidate.h"

#include <map>
#include <optional>
#include <set>

namespace ringmaster::diagnose {

/// Whether two ranks' calls with the same number in a group fit each other. Sizes may differ where
/// the operation allows it.
bool fit(const Operation& one, const Operation& other);
/// Where ranks may bring tensors of their own sizes.
bool mayDiffer(ledger::OperationKind kind);

/// The first call of a group that doesn't fit the others', by number.
using MismatchedCalls = std::map<GroupKey, std::uint64_t>;

/// Finds calls that don't fit, the first of each group, and calls by ranks that aren't members.
/// What it has found stays found. Pure, but for what it has looked at already.
class MismatchWatch
{
public:
    MismatchWatch() = default;
    /// `worldSize`: the job's ranks; 0: not known.
    explicit MismatchWatch(int worldSize) : m_worldSize(worldSize) {}

    const std::vector<VerdictCandidate>& look(const std::vector<RankView>& ranks,
                                              std::int64_t nowNs);
    /// For the last time: nobody else will come.
    const std::vector<VerdictCandidate>& end(const std::vector<RankView>& ranks,
                                             std::int64_t nowNs);
    const MismatchedCalls& mismatched() const { return m_mismatched; }

private:
    struct Looked
    {
        std::uint64_t complete = 0; ///< All members' calls up to here fit.
        std::uint64_t found = 0;    ///< The first that doesn't; 0: none.
        std::int64_t foundNs = 0;
        bool isOfOneSize = false; ///< That failed where sizes differ: it doesn't allow that.
        size_t callers = 0;       ///< Whose calls have been told of.
        std::set<int> outsiders{};
    };

    /// How many of a group have made a call, by which they differ.
    struct Callers
    {
        size_t all = 0;
        size_t most = 0; ///< That fit each other.
        size_t members = 0;
    };

    /// Who deviates may look different while not all have called.
    bool isDecided(const Callers& callers, std::int64_t foundNs, std::int64_t nowNs) const;
    void lookFor(const std::vector<RankView>& ranks, std::int64_t nowNs);
    void tellCalls(const std::vector<RankView>& ranks, const GroupKey& group, Looked& looked,
                   std::int64_t nowNs);
    /// Gathers that failed, or in which a rank ended.
    void lookAtFailed(const std::vector<RankView>& ranks);
    /// init_process_group for more ranks than there are.
    void lookAtWorld(const std::vector<RankView>& ranks, std::int64_t nowNs);
    void put(VerdictCandidate found);
    void lookForOutsiders(const std::vector<RankView>& ranks);
    /// Sends that don't fit where they are received.
    void lookAtSizes(const std::vector<RankView>& ranks);
    /// Groups that aren't made everywhere in the same order.
    void lookAtMaking(const std::vector<RankView>& ranks, std::int64_t nowNs);
    /// `camps`: who made which, at one place of the order.
    void tellMaking(const std::vector<RankView>& ranks,
                    const std::map<GroupKey, std::vector<int>>& camps, std::int64_t nowNs);

    int m_worldSize = 0;
    bool m_isEnding = false;
    std::map<GroupKey, Looked> m_looked;
    MismatchedCalls m_mismatched;
    std::optional<std::int64_t> m_makingFoundNs;
    bool m_isMakingTold = false;
    std::set<std::pair<int, int>> m_sizesFound; ///< Sender and receiver.
    std::vector<VerdictCandidate> m_found;
};

} // namespace ringmaster::diagnose
