#pragma once

#include "engine/attach/JobLook.h"

namespace ringmaster {

/// The stacks that were seen, as those of a run are kept and shown.
KeptEvidence evidenceOf(const SeenJob& seen);

} // namespace ringmaster
