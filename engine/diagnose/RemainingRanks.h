#pragma once

#include "engine/diagnose/VerdictCandidate.h"

#include <chrono>
#include <map>

namespace ringmaster::diagnose {

/// Ranks that keep a run from ending: others have ended, or their own main program has, and they do
/// nothing and wait in no operation. That may be meant, so it is a neutral verdict.
class RemainingRanks
{
public:
    /// `waits`: what is said of waits at this look; who waits isn't said to do nothing.
    std::vector<VerdictCandidate> look(const std::vector<RankView>& ranks, std::int64_t nowNs,
                                       const std::vector<VerdictCandidate>& waits);

    static constexpr std::chrono::nanoseconds Patience = std::chrono::seconds(10);

private:
    std::map<int, std::int64_t> m_endedNs; ///< By rank: when it was first seen to have ended.
};

} // namespace ringmaster::diagnose
