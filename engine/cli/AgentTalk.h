#pragma once

#include "engine/cli/RunChoice.h"
#include "engine/event/Command.h"
#include "engine/event/EvidenceFolds.h"

#include <chrono>
#include <string>

namespace ringmaster {

/// Sends one command to the agent of a running run, and waits until it is accepted.
Result<RunSummary> sendToRun(const std::string& text, const Command& command);

/// Asks the agent of a running run where its ranks stand now.
Result<KeptEvidence> takeStacksOf(const RunSummary& run);

/// The figures of a running run as text for Prometheus, as its agent tells them. Waits for a
/// moment, until the workers are sampled, which they are only while somebody watches.
Result<std::string> metricsOf(const RunSummary& run);

/// Waits until the run has ended; false when it takes longer.
Result<bool> waitForEnd(const RunSummary& run, std::chrono::milliseconds patience);

} // namespace ringmaster
