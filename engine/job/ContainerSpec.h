#pragma once

#include "engine/base/Error.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

/// A worker's image is the master's unless it has its own; empty: none.
const std::string& imageOf(const JobSpec& spec, const Role& role);

struct ContainerError
{
    std::string field{}; ///< "container.mounts"
    Message what{};
};

/// What an engine would refuse, or take for something else than one word of its own.
std::vector<ContainerError> errorsOf(const ContainerSpec& container);

} // namespace ringmaster
