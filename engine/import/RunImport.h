#pragma once

#include "engine/import/ImportedRun.h"
#include "engine/record/RunCatalog.h"

namespace ringmaster {

/// Makes runs of what is at a path, known by its content: a run file; flight recorder dumps,
/// traces of torch.profiler, logs of torchcomms or of NCCL Inspector, one file or a folder of a
/// job's ranks, gzipped or not; torchrun's log folder; what nccl-tests wrote, each table a sweep.
/// Yields the ids; the same files again are the same runs. Nothing at the path is changed. Not for
/// the GUI thread.
Result<std::vector<std::string>> importRuns(const RunCatalog& catalog,
                                            const std::filesystem::path& path);

/// What was read becomes a run like any that is over.
Result<std::string> keepRun(const RunCatalog& catalog, const ImportedRun& run);

} // namespace ringmaster
