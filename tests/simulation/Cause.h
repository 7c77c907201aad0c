#pragma once

#include "engine/base/Error.h"

namespace ringmaster::simulation {

/// Of what kind a reason is that somebody has failed for.
enum class Cause { Start, Begin, Survivor, Workers, Join, Place, LeftOut, Other };

Cause causeOf(Code reason);

} // namespace ringmaster::simulation
