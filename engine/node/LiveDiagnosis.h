#pragma once

#include "engine/diagnose/DeathAges.h"
#include "engine/diagnose/Diagnosis.h"
#include "engine/diagnose/NcclRasReader.h"
#include "engine/machine/ProcessWaitReader.h"
#include "engine/node/ProcessWatch.h"
#include "engine/node/RankActivityCache.h"
#include "engine/node/RankRecording.h"
#include "engine/node/StackReader.h"

#include <atomic>
#include <map>

namespace ringmaster {

/// Looks at what the ranks do, twice a second, and says what is to be said of it. The reading
/// thread's.
class LiveDiagnosis
{
public:
    /// With a lead, that judges: this one only looks. Readers and cache outlive this.
    LiveDiagnosis(StackReader& stacks, diagnose::NcclRasReader& ras,
                  RankActivityCache& rankActivities, bool isLed)
        : m_stacks(stacks), m_ras(ras), m_rankActivities(rankActivities), m_isLed(isLed)
    {
    }

    /// An attempt begins, of so many ranks altogether.
    void start(int attempt, int worldSize);
    /// `nowNs`: a moment before the recordings were read.
    std::vector<Verdict> look(const Recordings& recordings, std::int64_t nowNs);
    /// It has failed: what its ranks called wrongly, and who had waited until then.
    std::vector<Verdict> end(const Recordings& recordings, std::int64_t nowNs);
    /// Its ranks are about to be ended: the same, with who waits now. Their processes are told of
    /// as they were at the last look: whoever asks for their stacks, or signals them, wakes them
    /// up. `mayBeSignalled`: that may have happened already, or happens meanwhile; who has ended
    /// since the last look then isn't seen as one who did so by itself.
    std::vector<Verdict> stop(const Recordings& recordings, std::int64_t nowNs,
                              const std::atomic<bool>& mayBeSignalled);
    bool isOn() const { return m_isOn; }
    /// The ranks' processes at the last look, as the recordings are; empty: there was none yet.
    const std::vector<diagnose::ProcessView>& seen() const { return m_seen; }

private:
    /// What it waits for, while that may be wanted; the stack of its copy, where that was read.
    void lookAtWait(diagnose::ProcessView& process, const RankRecording& recording,
                    std::int64_t nowNs);
    std::vector<diagnose::RankView> viewsOf(const Recordings& recordings, std::int64_t nowNs);
    std::vector<diagnose::RankView> lastViewsOf(const Recordings& recordings, std::int64_t nowNs);
    /// For how long it has been seen dead, if it is.
    bool beginEnd(const Recordings& recordings, std::int64_t nowNs);
    void keepDeath(diagnose::RankView& view, std::int64_t nowNs);

    /// For those who ask.
    void show(const Recordings& recordings, std::int64_t nowNs);
    void wantStacks(const std::vector<diagnose::RankView>& views, std::int64_t nowNs);

    /// NCCL's own witness, of ranks that wait in its operations.
    void wantRas(const std::vector<diagnose::RankView>& views, std::int64_t nowNs);

    StackReader& m_stacks;
    diagnose::NcclRasReader& m_ras;
    RankActivityCache& m_rankActivities;
    bool m_isLed;
    bool m_isOn = false;
    std::int64_t m_lookedNs = 0;
    std::int64_t m_shownNs = 0;
    std::int64_t m_seenNs = 0;
    std::vector<diagnose::ProcessView> m_seen; ///< At the last look, as the recordings are.
    diagnose::Diagnosis m_diagnosis;
    std::map<int, ProcessWatch> m_processes;  ///< By rank.
    std::map<int, ProcessWaitReader> m_waits; ///< Of ranks that do nothing.
    diagnose::DeathAges m_deaths;
    std::map<int, std::int64_t> m_quietNs; ///< When a rank was last quiet, but at work.
};

} // namespace ringmaster
