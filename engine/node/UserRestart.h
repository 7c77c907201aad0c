#pragma once

#include "engine/event/Snapshot.h"

#include <optional>

namespace ringmaster {

/// Whether a user has asked for it.
bool isByUser(const GroupRestarting& restart);

/// What the ranks were in when a user restarted them is why their attempt ended; nothing where they
/// waited for nobody. `run` is as it was just before. Pure.
std::optional<FirstCause> causeOfUsersRestart(const GroupRestarting& restart,
                                              const RunSnapshot& run);

} // namespace ringmaster
