#pragma once

#include "engine/base/Result.h"
#include "engine/import/ImportedRun.h"
#include "engine/import/ProfilerTrace.h"

#include <vector>

namespace ringmaster {

/// Traces of one job's ranks together; an error where they can't be that. Pure.
Result<ImportedRun> runOf(std::vector<ProfilerTrace> traces);

} // namespace ringmaster
