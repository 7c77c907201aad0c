#pragma once

#include "engine/attach/ForeignJob.h"
#include "engine/base/Result.h"

namespace ringmaster {

/// The processes that are asked to end so that the job does: the launcher where it ends its ranks
/// itself, else the ranks.
std::vector<ProcessIdentity> processesToEnd(const ForeignJob& job);

/// Sends them SIGTERM, each only while it is the very same process. Only ever because a user has
/// said so. An error where one refuses, or where all are gone.
Result<void> endJob(const ForeignJob& job);

} // namespace ringmaster
