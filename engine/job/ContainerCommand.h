#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"
#include "engine/job/WorkerEnvironment.h"

#include <functional>
#include <string>
#include <vector>

namespace ringmaster {

/// What a worker's container needs to know beside the job.
struct ContainerFacts
{
    std::string engine{};  ///< podman, docker, apptainer or charliecloud
    std::string program{}; ///< Where that is.
    std::string image{};
    std::string label{};                ///< The run's token; empty: none.
    std::string workingFolder{};        ///< Mounted at the same path, and the worker's.
    std::vector<std::string> folders{}; ///< Mounted at the same path: logs, hook …
    bool wantsGpus = false;
    unsigned user = 0;
    unsigned group = 0;
};

/// The command of a worker within its container. It shares the host's network, shared memory and
/// processes, so that process groups, the ledger and signals work as outside. The environment is
/// handed over by name: no value is in the command line.
std::vector<std::string> containerCommand(const ContainerSpec& spec, const ContainerFacts& facts,
                                          const WorkerEnvironment& environment,
                                          const std::vector<std::string>& worker);

/// The engine that the job wants, or the first that is found: name and program. Two empty texts:
/// there is none. `find` says where a command is, and nothing where it isn't.
std::pair<std::string, std::string>
findContainerEngine(const ContainerSpec& spec,
                    const std::function<std::string(const std::string& command)>& find);
/// In the PATH of `environment`, or where commands usually are.
std::pair<std::string, std::string> findContainerEngine(const ContainerSpec& spec,
                                                        const EnvironmentMap& environment);

tl::unexpected<Error> containerEngineMissing(const ContainerSpec& spec, const std::string& image);

} // namespace ringmaster
