#pragma once

#include "engine/event/Snapshot.h"

#include <QString>

#include <chrono>
#include <optional>

namespace ringmaster::app {

/// How long the workers of a run have from SIGTERM to SIGKILL, as its job says; nothing: a record
/// without its job.
std::optional<std::chrono::nanoseconds> stopGraceOf(const RunSnapshot& run);

/// "30 s": whole seconds, as people set it.
QString graceText(std::chrono::nanoseconds grace);

/// Of a run that stops: how long its workers still have, and how they are killed at once. The time
/// counts from when they were asked, which a look at them may delay.
/// `wallNs` is now, of the clock of the run's machine.
QString stopGraceText(const RunSnapshot& run, std::int64_t wallNs);

} // namespace ringmaster::app
