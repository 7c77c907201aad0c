#pragma once

#include "engine/cli/RunChoice.h"
#include "engine/record/RunFileReader.h"

#include <optional>
#include <string>

namespace ringmaster {

/// A run to read from: one of this machine's, or a file that somebody has.
struct RunSource
{
    RunFileReader reader;
    std::optional<RunFolder> folder{};   ///< Only of a run of this machine.
    std::optional<RunSummary> summary{}; ///< The same.
};

/// By what a person calls it, see chooseRun(), or the path of a .ringrun file.
Result<RunSource> openRun(const std::string& text);

} // namespace ringmaster
