#pragma once

#include "engine/base/FileDescriptor.h"

#include <functional>

/// What a keeper and its guard have in common: a process that ends whatever descends from it.
namespace ringmaster::keeper {

/// Blocks every signal: what a terminal or a service manager sends to everybody must not end the
/// one that cleans up. Blocked, not ignored: a signal for a worker that is still on its way to exec
/// waits until it is unblocked there. The descriptor is readable when a child has ended.
FileDescriptor watchChildren();

void forgetSignals(int childSignals);

/// Kills until no descendant is left; `reap` takes what has ended and says whether a child is left.
/// This process must be a subreaper.
void endDescendants(int childSignals, const std::function<bool()>& reap);

/// Kills what has this process's RINGMASTER_RUN in its environment, wherever it descends from.
void endThoseOfThisRun();

} // namespace ringmaster::keeper
