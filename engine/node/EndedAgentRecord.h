#pragma once

#include "engine/node/NodeOptions.h"
#include "engine/record/RunFolder.h"

namespace ringmaster {

/// Offers, over a lead's channel, what an agent has kept that isn't there any more: events, logs,
/// operations. Returns once the lead has them, or isn't heard for a minute. Blocks.
Result<void> serveEndedAgentRecord(const RunFolder& folder, NodeOptions::Channel channel);

} // namespace ringmaster
