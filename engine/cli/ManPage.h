#pragma once

#include "engine/cli/CommandTree.h"

#include <string>

namespace ringmaster {

/// ringmaster(1), and ringmaster-COMMAND(1), as troff.
std::string manPage(const CommandTree& tree);
std::string manPage(const CommandTree::Command& command);

} // namespace ringmaster
