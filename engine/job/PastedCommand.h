#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/job/TorchrunLine.h"

#include <string_view>
#include <vector>

namespace ringmaster {

/// A job read from a text that somebody copied out of a terminal, a script or a web page.
struct PastedCommand
{
    ParsedLine line{};
    std::vector<Message> notes{}; ///< What stood there and was left out: a pipe, `srun`, `source` …
};

/// Finds the launching command in `text` (torchrun, python -m torch.distributed.run or .launch,
/// ringmaster run) and reads it as a shell and torchrun would: quotes, continued lines, variables
/// before it or exported above it, `cd`. Runs nothing. PET_ variables and values of `environment`
/// are used where the text refers to them.
tl::expected<PastedCommand, LineErrors> parsePastedCommand(std::string_view text,
                                                           const EnvironmentMap& environment);

} // namespace ringmaster
