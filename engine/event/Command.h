#pragma once

#include <string>
#include <variant>

namespace ringmaster {

/// SIGTERM, grace, SIGKILL; the run ends as Stopped. `now` skips the grace.
struct StopRun
{
    bool now = false;
    bool operator==(const StopRun&) const = default;
};

/// Stops and starts the worker group; not charged to the budget.
struct RestartGroup
{
    bool operator==(const RestartGroup&) const = default;
};

struct SignalWorker
{
    int globalRank = 0;
    int signal = 0;
    bool operator==(const SignalWorker&) const = default;
};

using Command = std::variant<StopRun, RestartGroup, SignalWorker>;

} // namespace ringmaster
