#pragma once

#include "engine/attach/ForeignJob.h"
#include "engine/attach/RankLedger.h"
#include "engine/diagnose/RankView.h"
#include "engine/event/Verdict.h"

#include <map>

namespace ringmaster {

/// The ledgers of a job's ranks, as far as these have any, and what they prove. One thread's.
class JobLedgers
{
public:
    explicit JobLedgers(const ForeignJob& job);

    bool isEmpty() const { return m_ledgers.empty(); }
    void read();
    /// Null: it has none.
    const RankLedger* of(int rank) const;
    /// The same diagnosis as that of recorded runs, of this one moment; the gravest first. The
    /// ranks' processes come from the caller.
    std::vector<Verdict> judge(std::vector<diagnose::RankView> ranks, std::int64_t nowNs) const;

private:
    int m_worldSize;
    std::map<int, std::unique_ptr<RankLedger>> m_ledgers; ///< By rank.
    diagnose::RankTrack m_none;                           ///< Of those without one.
};

/// Numbers the ranks as they say themselves, where their processes show no ranks and all of them
/// have a ledger that says another one's.
void numberByLedgers(ForeignJob& job);

} // namespace ringmaster
