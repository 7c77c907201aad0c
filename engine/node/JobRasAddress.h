#pragma once

#include "engine/diagnose/NcclRas.h"
#include "engine/job/JobSpec.h"

#include <optional>

namespace ringmaster {

/// Where the RAS of a job's workers listens, by their environment. Nothing: it is off, or not on
/// this machine alone.
std::optional<diagnose::NcclRasAddress> rasAddressOf(const JobSpec& spec);

} // namespace ringmaster
