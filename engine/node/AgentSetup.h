#pragma once

#include "engine/agent/AgentOptions.h"
#include "engine/node/NodeOptions.h"

#include <filesystem>

namespace ringmaster {

class RunFolder;

/// What an agent is told about its run and this machine, by what its process was started with: all
/// but the hook. An error names what a machine like this can't have.
Result<AgentOptions> agentOptionsOf(const NodeOptions& options, const RunFolder& folder);

/// Where the modules are kept that workers import first; by the interpreter that local rank 0
/// gets. Empty where nobody is to learn them.
std::filesystem::path learntModulesOf(const NodeOptions& options);

} // namespace ringmaster
