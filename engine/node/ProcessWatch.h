#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/node/StarvationWatch.h"
#include "engine/worker/Descendants.h"

#include <cstdint>

namespace ringmaster {

/// What one process does, as /proc says: looked at now and then. Dead is who was gone at the look
/// before already: what it has left can have been read since then. Stopped is who was so then, too:
/// whoever traces a process stops it for a moment. Who gets no processor isn't idle.
class ProcessWatch
{
public:
    /// `nowNs`: a moment before.
    diagnose::ProcessView look(int pid, std::int64_t nowNs, ProcessTable& processes);
    /// What it did in the look that was over then may have been done until then.
    void lookEnded(std::int64_t ns);

private:
    enum class Doing { Works, GetsNoProcessor, Nothing };

    void compare(std::int64_t nowNs, std::int64_t cpuNs, bool isReady, ProcessTable& processes);
    Doing doingOf(double mostNs, double mostBelowNs, std::int64_t cpuNs, std::int64_t nowNs,
                  ProcessTable& processes);

    int m_pid = 0;
    bool m_isGone = false;
    bool m_isStopped = false;
    std::int64_t m_lookedNs = 0;
    std::int64_t m_endedNs = 0;
    std::int64_t m_cpuNs = 0;
    std::int64_t m_childrenNs = 0; ///< CPU time of all below it.
    std::uint64_t m_bytes = 0;     ///< Read and written by it.
    std::int64_t m_idleSinceNs = 0;
    std::uint64_t m_mainThreadRan = 0; ///< Nanoseconds.
    std::uint64_t m_mainThreadWaited = 0;
    std::int64_t m_frozenSinceNs = 0;
    double m_share = 0;
    double m_processorWait = 0;
    StarvationWatch m_starvation;
};

} // namespace ringmaster
