#pragma once

#include "engine/base/FileDescriptor.h"

#include <string>

namespace ringmaster {

// Where a scheduler starts the agents, they are there before their lead knows where: each listens
// at a private socket of its node until the lead's step comes for it.

/// The agent's part: a connection from its lead. Blocks, for a minute at most.
Result<FileDescriptor> waitForLead(const std::string& token);

/// The step's part: a connection to the agent, which may be on its way. Blocks, for 20 s at most.
Result<FileDescriptor> reachWaiting(const std::string& token);

} // namespace ringmaster
