#pragma once

#include "app/model/ForeignJobs.h"
#include "engine/control/MachineWatch.h"

namespace ringmaster::app {

/// A watched machine, for ForeignJobs: asks, and waits for the answer. `watch` outlives it.
std::unique_ptr<ForeignJobs::Machine> watchedMachine(MachineWatch& watch, const QString& name);

} // namespace ringmaster::app
