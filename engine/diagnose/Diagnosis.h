#pragma once

#include "engine/diagnose/FailedWaits.h"
#include "engine/diagnose/LinkMonitor.h"
#include "engine/diagnose/Mismatch.h"
#include "engine/diagnose/RemainingRanks.h"
#include "engine/diagnose/StragglerWatch.h"
#include "engine/diagnose/VerdictTracker.h"
#include "engine/diagnose/WaitVerdicts.h"

namespace ringmaster::diagnose {

/// All that is said of the ranks of one attempt, look by look. The caller brings time and facts:
/// the same live and from a file.
class Diagnosis
{
public:
    /// `worldSize`: the job's ranks; 0: not known.
    void begin(int attempt, int worldSize = 0);
    /// What the wire can, of the job's backend; without it nothing is said of slow wires.
    void promise(std::vector<WirePromise> promises) { m_promises = std::move(promises); }
    std::vector<Verdict> look(const std::vector<RankView>& ranks, std::int64_t nowNs);
    /// The attempt has failed: what its ranks called wrongly, and who had waited until then. What
    /// is said now stays, with its ages at this moment.
    std::vector<Verdict> end(const std::vector<RankView>& ranks, std::int64_t nowNs);
    /// Its ranks are about to be ended: the same, with who waits now. What was proved stays so.
    std::vector<Verdict> stop(const std::vector<RankView>& ranks, std::int64_t nowNs);

    /// Ranks of whom the last look would say more with a stack; the most wanted first.
    const std::vector<int>& stacksWanted() const { return m_stacksWanted; }

private:
    /// What holds, with these in place of those of the same keys.
    void replaceBy(const std::vector<VerdictCandidate>& found);
    void wantStacks(const std::vector<RankView>& ranks, const std::vector<VerdictCandidate>& found,
                    std::int64_t nowNs);

    MismatchWatch m_mismatches;
    StragglerWatch m_stragglers;
    LinkMonitor m_wires;
    std::vector<WirePromise> m_promises;
    FailedWaits m_failedWaits;
    RemainingRanks m_remaining;
    VerdictTracker m_tracker;
    std::vector<VerdictCandidate> m_found;
    std::vector<int> m_stacksWanted;
};

} // namespace ringmaster::diagnose
