#pragma once

#include "engine/record/RunCatalog.h"

#include <string>

namespace ringmaster {

/// Which runs a word may mean.
enum class RunScope { All, Running };

/// The run that a person means: by its id, by a beginning of it that no other has, or by the name
/// of the latest run that is called so. Without a word the only one running, or the latest.
Result<RunSummary> chooseRun(const std::vector<RunSummary>& runs, const std::string& text,
                             RunScope scope);

} // namespace ringmaster
