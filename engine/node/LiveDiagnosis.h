#pragma once

#include "engine/diagnose/Mismatch.h"
#include "engine/diagnose/WaitWatch.h"
#include "engine/event/Event.h"
#include "engine/node/ProcessWatch.h"
#include "engine/node/RankRecording.h"

#include <map>
#include <memory>

namespace ringmaster {

/// Looks at what the ranks do, twice a second, and says who waits for whom. The reading thread's.
class LiveDiagnosis
{
public:
    /// An attempt begins.
    void start();
    std::vector<Notice> look(const Recordings& recordings, std::int64_t nowNs);
    /// It has failed: what its ranks called wrongly, for the last time.
    std::vector<Notice> end(const Recordings& recordings);

private:
    bool m_isOn = false;
    std::int64_t m_lookedNs = 0;
    diagnose::WaitWatch m_waits;
    diagnose::MismatchWatch m_mismatches;
    std::map<int, ProcessWatch> m_processes; ///< By rank.
};

} // namespace ringmaster
