#pragma once

#include "engine/diagnose/RankView.h"

#include <map>
#include <optional>

namespace ringmaster::diagnose {

/// For how long ranks have been seen dead, of one attempt: what ProcessView::deadNs says. Pure; one
/// thread's.
class DeathAges
{
public:
    void begin() { m_sinceNs.clear(); }
    /// A rank was so at this moment. One that isn't dead runs another program than one that was.
    void seen(int rank, ProcessView::State state, std::int64_t atNs);
    /// Nothing: it isn't dead.
    std::optional<std::int64_t> of(int rank, std::int64_t nowNs) const;

private:
    std::map<int, std::int64_t> m_sinceNs; ///< By rank.
};

} // namespace ringmaster::diagnose
