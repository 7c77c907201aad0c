#pragma once

#include "engine/job/JobSpec.h"
#include "engine/job/WorkerEnvironment.h"

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

/// SOURCE:DESTINATION or SOURCE:DESTINATION:MODE, each once.
std::vector<std::string> mountsOf(const ContainerSpec& spec, const ContainerFacts& facts);

/// The command of a worker within its container. It shares the host's network, shared memory and
/// processes, so that process groups, the ledger and signals work as outside. The environment is
/// handed over by name: no value is in the command line.
std::vector<std::string> containerCommand(const ContainerSpec& spec, const ContainerFacts& facts,
                                          const WorkerEnvironment& environment,
                                          const std::vector<std::string>& worker);

} // namespace ringmaster
