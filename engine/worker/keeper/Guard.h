#pragma once

#include "engine/base/FileDescriptor.h"

#include <vector>

#include <sys/types.h>

/// The guard: parent of a keeper and subreaper above it, which ends what a keeper leaves that was
/// killed. So whichever two of agent, guard and keeper are killed at once, the third sweeps.
namespace ringmaster::keeper {

/// Waits for the keeper, its child, and ends what it left. Must be a subreaper since before the
/// keeper was forked. Returns how the keeper ended: an exit code, as a shell has it.
int guard(pid_t keeper, const char* run, FileDescriptor containers);

/// What becomeGuard() has passed on, if it has.
FileDescriptor inheritedContainers();

/// In the guard, once the keeper is forked: goes on as `program --guard KEEPER TITLE`, with no
/// descriptors but the standard streams and `containers`, which the keeper has, too (see
/// PodmanRemoval; may be none). RINGMASTER_RUN is the title.
[[noreturn]] void becomeGuard(const char* program, pid_t keeper, const char* title,
                              FileDescriptor containers = {});

/// In the keeper: pidfds of itself and of its guard, for its first frame.
std::vector<FileDescriptor> introduction(pid_t guard);

/// The keeper of a cold start, whose agent started this process: it becomes the guard, and a child
/// of it the keeper. Returns the exit code.
int keepGuarded(const char* title);

/// Runs a program in a session of its own whose parent is gone: `arguments` end with null.
int runDetached(char* const* arguments);

} // namespace ringmaster::keeper
