#pragma once

#include "engine/base/Result.h"
#include "engine/import/ImportedRun.h"

namespace ringmaster {

/// Writes the run file of what was read into a folder that is there, with copies of the logs.
Result<void> writeRunFile(const ImportedRun& run, const std::string& id,
                          const std::filesystem::path& folder);

} // namespace ringmaster
