#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace ringmaster {

/// Whether processes could have worked and hardly got a processor: by the scheduler's times of each
/// thread (/proc/PID/task/TID/schedstat), from one look to the next.
class StarvationWatch
{
public:
    /// One of their threads was ready to run for at least half of the time since the last look. The
    /// first look only takes the times.
    bool look(const std::vector<int>& pids, std::int64_t nowNs);

private:
    /// In nanoseconds.
    struct Times
    {
        std::uint64_t ran = 0;
        std::uint64_t waited = 0; ///< For a processor; told when it has got one.
        bool operator==(const Times&) const = default;
    };

    std::map<int, Times> m_times; ///< By thread.
    std::int64_t m_lookedNs = 0;
};

} // namespace ringmaster
