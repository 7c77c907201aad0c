#pragma once

#include "engine/diagnose/Diagnosis.h"
#include "engine/node/ProcessWatch.h"
#include "engine/node/RankRecording.h"
#include "engine/node/StackReader.h"

#include <map>

namespace ringmaster {

/// Looks at what the ranks do, twice a second, and says what is to be said of it. The reading
/// thread's.
class LiveDiagnosis
{
public:
    /// The reader outlives this.
    explicit LiveDiagnosis(StackReader& stacks) : m_stacks(stacks) {}

    /// An attempt begins.
    void start(int attempt);
    std::vector<Verdict> look(const Recordings& recordings, std::int64_t nowNs);
    /// It has failed: what its ranks called wrongly, for the last time.
    std::vector<Verdict> end(const Recordings& recordings, std::int64_t nowNs);

private:
    std::vector<diagnose::RankView> viewsOf(const Recordings& recordings, std::int64_t nowNs);

    void wantStacks(const std::vector<diagnose::RankView>& views, std::int64_t nowNs);

    StackReader& m_stacks;
    bool m_isOn = false;
    std::int64_t m_lookedNs = 0;
    diagnose::Diagnosis m_diagnosis;
    std::map<int, ProcessWatch> m_processes; ///< By rank.
};

} // namespace ringmaster
