#pragma once

#include "engine/base/Result.h"
#include "engine/import/ImportedRun.h"

#include <vector>

namespace ringmaster {

/// Runs whose logs torchrun kept (--log-dir): what each rank printed, attempt by attempt, and the
/// first cause by what they said. `path` is that folder, a run's folder in it, or an attempt's.
/// Nothing: there are no such logs.
Result<std::vector<ImportedRun>> readTorchrunLogs(const std::filesystem::path& path);

} // namespace ringmaster
