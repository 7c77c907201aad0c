#pragma once

#include "engine/machine/SystemInfo.h"

namespace ringmaster {

/// Whether the machine can run on a battery: a laptop, which is closed and carried away. That of a
/// mouse or a keyboard doesn't count.
bool hasBattery(const SystemInfo& machine);

} // namespace ringmaster
