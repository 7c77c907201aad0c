#pragma once

#include "engine/import/ImportedRun.h"
#include "engine/import/NcclInspector.h"

#include <vector>

namespace ringmaster {

/// The processes of one job together; an error where they can't be that. Pure.
Result<ImportedRun> runOf(std::vector<NcclInspectorLog> logs);

} // namespace ringmaster
