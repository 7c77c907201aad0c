#pragma once

#include "engine/base/Clock.h"

namespace ringmaster {

/// How a worker ended, as its parent saw it.
struct WorkerExit
{
    int code = 0;
    int signal = 0; ///< 0: it exited with `code`.
    bool coreDumped = false;
    Moment at{};
    std::int64_t userNs = 0;
    std::int64_t systemNs = 0;
    std::int64_t maxResidentBytes = 0;
    int descendantsLeft = 0; ///< Processes of its session that still ran; killAll() ends them.
    bool wasTold = false;    ///< The agent had it stopped or killed, and it still ran then.

    bool succeeded() const { return code == 0 && signal == 0; }
    bool operator==(const WorkerExit&) const = default;
};

} // namespace ringmaster
