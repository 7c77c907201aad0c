#pragma once

#include "engine/diagnose/WireWatch.h"
#include "engine/record/Calibration.h"

namespace ringmaster {

/// What may be expected of the wire between processes of this machine. A ledger doesn't say which
/// backend an operation ran on: of several that were calibrated, it is the one that can least.
std::vector<diagnose::WirePromise> promisesOf(const std::vector<Calibration>& calibrations);

} // namespace ringmaster
