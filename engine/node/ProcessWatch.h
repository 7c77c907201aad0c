#pragma once

#include "engine/diagnose/RankView.h"

#include <cstdint>

namespace ringmaster {

/// What one process does, as /proc says: looked at now and then.
class ProcessWatch
{
public:
    diagnose::ProcessView look(int pid, std::int64_t nowNs);

private:
    int m_pid = 0;
    std::int64_t m_lookedNs = 0;
    std::int64_t m_cpuNs = 0;
    std::int64_t m_idleSinceNs = 0;
    double m_share = 0;
};

} // namespace ringmaster
