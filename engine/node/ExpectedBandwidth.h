#pragma once

#include "engine/diagnose/LinkMonitor.h"
#include "engine/record/Calibration.h"

namespace ringmaster {

/// What may be expected of the wire between processes of this machine, and between pairs of hosts,
/// backend by backend.
std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations);

} // namespace ringmaster
