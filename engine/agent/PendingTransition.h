#pragma once

#include "engine/agent/RestartPolicy.h"
#include "engine/event/Event.h"

#include <string>
#include <variant>

namespace ringmaster {

/// What shall come once the worker group is gone.
struct RestartRequest
{
    Message cause{};
    bool isCharged = false; ///< Then the first cause, once it is known, is the cause.
    RestartPolicy::Decision decision{};
};

/// All workers have succeeded: the other nodes are waited for.
struct PendingBarrier
{
};

struct StopRequest
{
    RunState state = RunState::Failed;
    Message reason{};
    int exitCode = 1;
    bool closesRendezvous = true; ///< Not on a signal: the other nodes may go on.
    bool isGroupFailure = false;  ///< The report of the failed workers ends it.
    bool isFromOutside = false;   ///< What workers had failed of before isn't why it ends.
    std::string lastWords{};      ///< For the console otherwise.
};

using PendingTransition = std::variant<RestartRequest, PendingBarrier, StopRequest>;

} // namespace ringmaster
