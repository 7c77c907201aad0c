#pragma once

#include "engine/base/Error.h"
#include "engine/worker/KeeperProtocol.h"
#include "engine/worker/WorkerLaunch.h"

namespace ringmaster {

/// Why a worker's program doesn't run, in words that name the remedy.
Error launchError(const keeper::NotStarted& failure, const WorkerLaunch& worker);

} // namespace ringmaster
