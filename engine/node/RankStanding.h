#pragma once

#include "engine/base/Error.h"

#include <cstdint>
#include <string>

namespace ringmaster {

/// What is known of a rank before its stack is taken.
struct RankStanding
{
    int rank = 0;
    int pid = 0; ///< 0: its process has ended.
    /// For how long it has been in an operation, or was until that failed; 0: it is in none.
    std::int64_t waitedNs = 0;
    std::int64_t idleNs = 0; ///< For how long its process has done next to nothing.
    bool isStopped = false;  ///< By a signal.
    Message operation{};     ///< What it is in; code::None: not recorded.
    std::string server{};    ///< The socket of its worker server.
};

} // namespace ringmaster
