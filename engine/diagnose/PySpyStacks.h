#pragma once

#include "engine/event/Evidence.h"

#include <optional>
#include <string_view>

namespace ringmaster::diagnose {

/// What `py-spy dump --json` says of one process: its threads that have calls, the main one first.
/// Nothing where the text is something else, or no thread has any. Bounded.
std::optional<std::vector<ThreadStack>> readPySpyJson(std::string_view text);

} // namespace ringmaster::diagnose
