#pragma once

#include "engine/event/Evidence.h"

namespace ringmaster {

/// Where the main thread of a process stands by /proc: its state, the system call that it is in
/// and on which file, and where in the kernel it waits. What isn't to be had stays empty.
void readSystemPlace(int pid, RankEvidence& evidence);

} // namespace ringmaster
