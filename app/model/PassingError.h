#pragma once

#include "engine/base/Error.h"
#include "engine/control/Codes.h"

#include <chrono>

namespace ringmaster::app {

/// Until a machine that isn't reached is asked again.
inline constexpr std::chrono::milliseconds ReachInterval{1000};

/// A watched machine is on the way to being reached, again and again: what failed for that is to be
/// asked again.
inline bool isPassing(const Error& error)
{
    return error.code == code::MachineNotConnected || error.code == code::AgentConnectionLost;
}

} // namespace ringmaster::app
