#pragma once

#include "engine/cli/RunChoice.h"
#include "engine/event/Command.h"
#include "engine/event/EvidenceFolds.h"

#include <chrono>
#include <functional>
#include <string>

namespace ringmaster {

/// Sends one command to the agent of a running run, and waits until it is accepted.
Result<RunSummary> sendToRun(const std::string& text, const Command& command);

/// Asks the agent of a running run where its ranks stand now.
Result<KeptEvidence> takeStacksOf(const RunSummary& run);

/// The figures of a running run as text for Prometheus, as its agent tells them. Waits for a
/// moment, until the workers are sampled, which they are only while somebody watches.
Result<std::string> metricsOf(const RunSummary& run);

/// The agent's snapshot of a running run, now.
Result<RunSnapshot> snapshotOf(const RunSummary& run);

/// Has a fire drill done, and waits for its result; `told` hears what the agent says of it, on
/// another thread. False: the job isn't back.
Result<bool> drillRun(const RunSummary& run, const BeginDrill& drill,
                      const std::function<void(const Notice&)>& told);

/// Waits until the run has ended; false when it takes longer.
Result<bool> waitForEnd(const RunSummary& run, std::chrono::milliseconds patience);

} // namespace ringmaster
