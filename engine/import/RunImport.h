#pragma once

#include "engine/import/ImportedRun.h"
#include "engine/record/RunCatalog.h"

namespace ringmaster {

/// Makes runs of what is at a path, known by its content: a run file; flight recorder dumps or
/// traces of torch.profiler, one file or a folder of a job's ranks; torchrun's log folder. Yields
/// the ids; the same files again are the same runs. Nothing at the path is changed. Not for the GUI
/// thread.
Result<std::vector<std::string>> importRuns(const RunCatalog& catalog,
                                            const std::filesystem::path& path);

/// What was read becomes a run like any that is over.
Result<std::string> keepRun(const RunCatalog& catalog, const ImportedRun& run);

} // namespace ringmaster
