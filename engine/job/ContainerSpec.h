#pragma once

#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster {

struct JobSpec;
struct Role;

/// How a role's image is run, where it has one.
struct ContainerSpec
{
    std::string engine{}; ///< podman, docker, apptainer or charliecloud; empty: the first found.
    std::vector<std::string> mounts{};  ///< SOURCE[:TARGET[:ro]], beside what Ringmaster mounts.
    std::vector<std::string> devices{}; ///< Beside the GPUs, which come with the job's devices.
    std::vector<std::string> options{}; ///< Further words of the engine's own `run`.

    bool operator==(const ContainerSpec&) const = default;
};

/// A worker's image is the master's unless it has its own; empty: none.
const std::string& imageOf(const JobSpec& spec, const Role& role);

/// What an engine would refuse, or take for something else than one word of its own.
std::vector<Finding> errorsOf(const ContainerSpec& container);

} // namespace ringmaster
