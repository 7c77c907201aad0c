#pragma once

#include <sys/types.h>

namespace ringmaster::keeper {

/// Waits beside a warm keeper, its child, for the moment when that one is gone, and ends what it
/// left. A cold keeper has the agent for that, which a process forked elsewhere can't descend from.
/// Must be a subreaper since before the keeper was forked.
void guard(pid_t keeper);

/// Runs a program in a session of its own whose parent is gone: `arguments` end with null.
int runDetached(char* const* arguments);

} // namespace ringmaster::keeper
