#pragma once

#include "engine/base/Result.h"

namespace ringmaster {

/// Orphans among this process's descendants become its children, not init's.
Result<void> becomeSubreaper();
bool isSubreaper();

/// One pass: SIGKILL to every descendant of this process but its ChildProcess::all() and theirs,
/// and reaps those of its own children that are dead. Returns how many were still there; call again
/// until none is.
int sweepDescendants();

} // namespace ringmaster
