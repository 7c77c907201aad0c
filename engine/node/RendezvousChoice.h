#pragma once

#include "engine/base/Environment.h"
#include "engine/job/JobSpec.h"
#include "engine/rendezvous/RendezvousOptions.h"

namespace ringmaster {

/// The rendezvous that a job asks for, by torchrun's rules.
Result<RendezvousOptions> rendezvousOf(const JobSpec& spec, const EnvironmentMap& environment);

} // namespace ringmaster
