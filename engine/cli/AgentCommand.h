#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// `ringmaster agent --stdio …`, for a lead that starts it through ssh: as `run`, but the control
/// service is served on standard input and output, behind ByteChannel's sentinel.
int agentCommand(std::vector<std::string> words);

} // namespace ringmaster
