#pragma once

#include <functional>
#include <string>

namespace ringmaster {

/// Runs `agent` in a process of its own, which has a session of its own and outlives this one. This
/// one waits until the agent has called `opened` with its run, prints that and returns 0; if the
/// agent ends before, what it returns is returned. Called while there is one thread only.
///
/// In the agent's process it returns what `agent` returns.
int runDetached(const std::function<int(const std::function<void(const std::string&)>&)>& agent);

} // namespace ringmaster
