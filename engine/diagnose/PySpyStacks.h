#pragma once

#include "engine/event/Evidence.h"

#include <optional>
#include <string_view>

namespace ringmaster::diagnose {

/// What `py-spy dump --json` says of one process: its threads that have calls, the main one first.
/// Nothing where the text is something else, or no thread has any. Bounded.
std::optional<std::vector<ThreadStack>> readPySpyJson(std::string_view text);

/// What a thread has to do with the interpreter's lock.
struct LockStanding
{
    bool holdsGil = false;
    bool isActive = false; ///< It runs; else it waits.
};

/// Of the thread with this number, in the same text, whether it has calls or not. Nothing where the
/// text is something else, or doesn't name it.
std::optional<LockStanding> readPySpyLock(std::string_view text, int thread);

} // namespace ringmaster::diagnose
