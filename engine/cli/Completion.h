#pragma once

#include "engine/cli/CommandTree.h"

#include <string>

namespace ringmaster {

/// Shell code that completes commands, options, their values, runs and files.
std::string bashCompletion(const CommandTree& tree);
std::string zshCompletion(const CommandTree& tree);
std::string fishCompletion(const CommandTree& tree);

} // namespace ringmaster
