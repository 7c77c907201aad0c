#pragma once

#include "app/editor/EnvironmentProbe.h"
#include "engine/job/WorkerEnvironment.h"

namespace ringmaster::app {

/// How many workers of each role this job has on this machine.
std::vector<int> workersOf(const JobSpec& spec, const MachineCounts& counts);

/// What the worker of a rank would get if this machine were the job's only node. What is decided at
/// the start (a free port, an id) is named, not invented.
Result<WorkerEnvironment> environmentOfRank(const JobSpec& spec, int rank,
                                            const MachineCounts& counts,
                                            const EnvironmentMap& base);

/// Values that stand for something which is decided at the start.
bool isChosenAtStart(const EnvironmentEntry& entry);

} // namespace ringmaster::app
