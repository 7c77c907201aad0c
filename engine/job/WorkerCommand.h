#pragma once

#include "engine/base/Environment.h"
#include "engine/job/JobSpec.h"

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What a worker's command needs to know beside its role.
struct CommandFacts
{
    int localRank = 0;
    std::string interpreter{}; ///< For a role without one: the active interpreter's path.
    std::string cpus{};        ///< CPUs for --numa-binding, "0-7,16-23"; empty: not bound.
};

/// argv of one worker, as torchrun builds it: PYTHON_EXEC or the interpreter, -u, -m, and
/// `$$`, `$local_rank`, `${local_rank}` replaced in every argument. The role's own interpreter goes
/// before PYTHON_EXEC. `environment` is the worker's.
std::vector<std::string> workerCommand(const Role& role, const CommandFacts& facts,
                                       const EnvironmentMap& environment);

class SystemInfo;

/// The active interpreter, where a role has to do with it: to find it others may have to be run.
std::string interpreterFor(const JobSpec& spec, const SystemInfo& systemInfo);

/// The program's name in torchrun's failure report: as typed, the module, the binary,
/// "run_script_path", or PYTHON_EXEC where that is set.
std::string entryPointName(const Role& role, const EnvironmentMap& environment);

/// The prefix of tee'd lines: "[default0]:", or `lineTemplate` with ${role_name}, ${local_rank},
/// ${rank} and ${hostname}.
std::string logLinePrefix(const std::string& roleName, int localRank, int globalRank,
                          const std::optional<std::string>& lineTemplate);

} // namespace ringmaster
