#pragma once

#include "engine/event/Event.h"
#include "engine/event/Snapshot.h"
#include "engine/record/RunSummary.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

/// What --json prints: names that don't change, times in nanoseconds since 1970 and as text, any
/// text made valid UTF-8. Every object on the outside has a "format": it grows when a name goes or
/// changes its meaning, not when one is added.
using Json = nlohmann::ordered_json;

Json asJson(const Message& message); ///< null where there is nothing to say
Json asJson(const RunSummary& run);
Json asJson(const Event& event);
Json asJson(const RunSnapshot& snapshot);

std::string dump(Json json);     ///< On many lines, with a newline at its end.
std::string dumpLine(Json json); ///< On one, with a newline at its end.

} // namespace ringmaster
