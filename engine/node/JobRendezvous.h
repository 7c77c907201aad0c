#pragma once

#include "engine/job/JobSpec.h"
#include "engine/rendezvous/RendezvousOptions.h"

namespace ringmaster {

/// The rendezvous that a job asks for; a standalone job gets an id of its own. `environment` is the
/// agent's: TORCH_DISABLE_SHARE_RDZV_TCP_STORE is read there, as torchrun does.
RendezvousOptions rendezvousOptionsOf(const JobSpec& job,
                                      const std::map<std::string, std::string>& environment);

} // namespace ringmaster
