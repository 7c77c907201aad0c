#pragma once

#include "engine/diagnose/Stack.h"
#include "engine/event/Evidence.h"

#include <optional>
#include <string_view>

namespace ringmaster::diagnose {

/// What `py-spy dump --json` says of one process: its threads that have calls, the main one first.
/// Nothing where the text is something else, or no thread has any. Bounded.
std::optional<std::vector<ThreadStack>> readPySpyJson(std::string_view text);

/// The same text as a place of the process: where its main thread is, and whether that has the
/// interpreter's lock. Its number is the process's; where none has it (another namespace of pids),
/// it is known by its name. `thread`: that one instead, where the process has one of this name.
std::optional<Stack> readPySpyStack(std::string_view text, int pid, std::string_view thread = {});

} // namespace ringmaster::diagnose
