#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/VerdictCandidate.h"

#include <map>
#include <set>

namespace ringmaster::diagnose {

/// Whether two ranks' calls with the same number in a group fit each other. Sizes may differ where
/// the operation allows it.
bool fit(const Operation& one, const Operation& other);

/// Finds calls that don't fit, the first of each group, and calls by ranks that aren't members.
/// What it has found stays found. Pure, but for what it has looked at already.
class MismatchWatch
{
public:
    const std::vector<VerdictCandidate>& look(const std::vector<RankView>& ranks,
                                              std::int64_t nowNs);

private:
    struct Looked
    {
        std::uint64_t complete = 0; ///< All members' calls up to here fit.
        bool isFound = false;
        std::set<int> outsiders{};
    };

    void lookFor(const std::vector<RankView>& ranks, std::int64_t nowNs);
    void lookForOutsiders(const std::vector<RankView>& ranks);

    std::map<GroupKey, Looked> m_looked;
    std::vector<VerdictCandidate> m_found;
};

} // namespace ringmaster::diagnose
