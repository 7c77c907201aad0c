#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/Verdict.h"

#include <map>

namespace ringmaster::diagnose {

/// Whether two ranks' calls with the same number in a group fit each other. Sizes may differ where
/// the operation allows it.
bool fit(const Operation& one, const Operation& other);

/// Finds calls that don't fit, once a group. Pure, but for what it has looked at already.
class MismatchWatch
{
public:
    std::vector<Verdict> look(const std::vector<RankView>& ranks);

private:
    std::optional<Verdict> lookAt(const GroupKey& group, std::uint64_t number,
                                  const std::vector<RankView>& ranks) const;

    struct Looked
    {
        std::uint64_t complete = 0; ///< All members' calls up to here fit.
        bool isTold = false;
    };
    std::map<GroupKey, Looked> m_looked;
};

} // namespace ringmaster::diagnose
