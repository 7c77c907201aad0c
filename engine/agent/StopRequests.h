#pragma once

#include <cstdint>

namespace ringmaster {

/// Counts how often a run was asked to stop, by signals and by commands. Whoever asks again doesn't
/// want to wait for the grace; the echo of a signal asks nothing. Pure: the caller brings the time.
class StopRequests
{
public:
    enum class Kind { First, Again, Echo };

    Kind signalled(int signal, std::int64_t nowNs);
    /// By a command, or by a rule of the job.
    Kind asked() { return m_count++ == 0 ? Kind::First : Kind::Again; }
    bool any() const { return m_count > 0; }

private:
    int m_count = 0;
    int m_lastSignal = 0;
    std::int64_t m_lastSignalNs = 0;
};

} // namespace ringmaster
