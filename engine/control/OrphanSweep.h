#pragma once

#include <string>

namespace ringmaster {

/// Kills what a run has left behind whose agent and keeper were both killed: the processes that
/// carry its token (RINGMASTER_RUN, which is the run's id) in their environment. Only for a run
/// whose agent is gone. Returns how many there were.
int sweepOrphans(const std::string& run);

} // namespace ringmaster
