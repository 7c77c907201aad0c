#pragma once

#include "engine/diagnose/RankTrack.h"

namespace ringmaster::diagnose {

/// What the system says of a rank's process.
struct ProcessView
{
    enum class State { Unknown, Alive, Stopped, Dead };
    State state = State::Unknown;
    int pid = 0;
    std::int64_t idleNs = 0; ///< For how long it has used next to no CPU time.
    double cpuShare = 0;     ///< Of one core, lately.
};

/// One rank at one moment.
struct RankView
{
    int rank = 0;
    bool isRecorded = false; ///< Its operations are known.
    const RankTrack* track = nullptr;
    ProcessView process{};
};

/// "0-2,5"
std::string ranksText(std::vector<int> ranks);
/// "rank 3", "ranks 0-2,5"
std::string ranksPhrase(const std::vector<int>& ranks);

} // namespace ringmaster::diagnose
