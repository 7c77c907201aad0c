#pragma once

#include "engine/attach/ForeignJob.h"

#include <map>
#include <optional>

namespace ringmaster {

/// What a rank of a job that Ringmaster didn't start is in and uses.
struct ForeignRankUse
{
    enum class State { Loading, Running, Stopped };

    int rank = 0;
    State state = State::Running;
    std::optional<double> cpuShare{}; ///< Of a core, since the look before; nothing: the first one.
    std::int64_t residentBytes = 0;
    bool operator==(const ForeignRankUse&) const = default;
};

struct WatchedJob
{
    ForeignJob job{};
    std::vector<ForeignRankUse> ranks{}; ///< As many as the job has, in its order.
    bool operator==(const WatchedJob&) const = default;
};

/// Looks again and again for jobs that Ringmaster didn't start on this machine, with what their
/// ranks use meanwhile. Only reads /proc. One thread's.
class JobWatch
{
public:
    std::vector<WatchedJob> look();

private:
    ForeignRankUse useOf(const ForeignRank& rank, std::int64_t nowNs);

    struct Seen
    {
        std::int64_t atNs = 0;
        std::int64_t cpuNs = 0;
    };

    std::map<ProcessIdentity, Seen> m_before;
    std::map<ProcessIdentity, Seen> m_now;
};

} // namespace ringmaster
