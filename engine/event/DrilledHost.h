#pragma once

#include "engine/base/Result.h"
#include "engine/event/Snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The host of a run that a fire drill is for; an error where none can be held there now. Pure.
Result<HostSnapshot> hostToDrill(const RunSnapshot& run, const std::string& host);

/// Nothing: the run has no such host.
std::optional<HostChanged::State> stateOfHost(const RunSnapshot& run, const std::string& host);

/// The ranks of the latest attempt that work on a host, in their order.
std::vector<int> ranksOnHost(const RunSnapshot& run, const std::string& host);

/// Hosts on which such ranks run.
int workingHosts(const RunSnapshot& run);

} // namespace ringmaster
