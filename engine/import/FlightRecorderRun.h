#pragma once

#include "engine/base/Result.h"
#include "engine/import/FlightRecorder.h"
#include "engine/import/ImportedRun.h"

namespace ringmaster {

/// What the dumps of a job's ranks amount to: who was in which operation, and who hadn't called it.
/// An error where they can't be of one job. Pure.
Result<ImportedRun> runOf(std::vector<FlightRecorderDump> dumps);

} // namespace ringmaster
