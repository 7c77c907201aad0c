#pragma once

#include "engine/cli/RunReporter.h"
#include "engine/node/NodeOptions.h"
#include "engine/node/RunFront.h"

#include <string>
#include <vector>

namespace ringmaster {

/// `ringmaster run`, or `torchrun` by whose name the program may be called: this process becomes
/// the agent of the run. `words` are those behind the command.
int runCommand(const std::vector<std::string>& words);

/// The agent of a run, or its lead where several are brought together; until it is over. Its exit
/// code.
Result<int> runInForeground(NodeOptions options, RunFront& front);

/// The same, told on the terminal; or in a process of its own, which outlives this one.
int runReported(NodeOptions options, RunReporter::Options reporting, bool isDetached);

/// Standard input and output become the channel; whatever else would read or print there doesn't.
NodeOptions::Channel takeStandardStreams();

} // namespace ringmaster
