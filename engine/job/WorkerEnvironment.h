#pragma once

#include "engine/base/Environment.h"
#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Where a worker stands in one attempt: what the rendezvous and the agent decided.
struct PlacementFacts
{
    int globalRank = 0;
    int worldSize = 1;
    int localRank = 0;
    int localWorldSize = 1;
    int roleRank = 0;
    int roleWorldSize = 1;
    int groupRank = 0; ///< Of the node.
    int groupWorldSize = 1;
    std::string masterAddress{};
    int masterPort = 0;
    int restartCount = 0;
    std::string runId{};
    bool useAgentStore = true;
    std::string errorFile{};    ///< Empty without log files.
    std::string timerFile{};    ///< Empty without a watchdog.
    std::string runToken{};     ///< Value of RINGMASTER_RUN; empty: not set.
    std::string hookFolder{};   ///< First of PYTHONPATH; empty: no start-up hook.
    std::string ringFolder{};   ///< Last of PYTHONPATH; empty: the backend ring isn't found.
    std::string hook{};         ///< Value of RINGMASTER_HOOK; empty: no start-up hook.
    std::string ncclProfiler{}; ///< Path of NCCL's profiler plugin; empty: none.
    bool outputToPipe = false; ///< Its stdout or stderr isn't a terminal where torchrun's would be.
    int firstDevice = -1;      ///< devicesPerWorker only: number of the first of the role's devices
                               ///< that is this worker's; -1: localRank * devicesPerWorker.
};

/// Who put a variable into a worker's environment.
enum class VariableOrigin { Inherited, Job, Torchrun, Ringmaster };

struct EnvironmentEntry
{
    std::string name{};
    std::string value{};
    VariableOrigin origin = VariableOrigin::Inherited;

    bool operator==(const EnvironmentEntry&) const = default;
};

struct WorkerEnvironment
{
    std::vector<EnvironmentEntry> entries{}; ///< Sorted by name.
    /// OMP_NUM_THREADS was set to 1 for want of a value: torchrun says so in a box.
    bool warnsAboutThreads = false;

    EnvironmentMap variables() const;
    const EnvironmentEntry* find(std::string_view name) const;
};

/// The whole environment of one worker: `base` (the agent's), the job's, then what torchrun 2.11
/// sets, to the letter, then what Ringmaster adds unless the job is plain. Fails where too few
/// devices are visible.
Result<WorkerEnvironment> workerEnvironment(const JobSpec& spec, const Role& role,
                                            const PlacementFacts& facts,
                                            const EnvironmentMap& base);

/// The variables that Ringmaster may add, and why: the list of `ringmaster env`.
struct OwnVariable
{
    std::string_view name;
    std::string_view reason;
};
const std::vector<OwnVariable>& ownVariables();

/// torchrun's text about OMP_NUM_THREADS, in its box.
std::string_view threadsWarning();

} // namespace ringmaster
