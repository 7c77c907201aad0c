#pragma once

#include "engine/machine/DeviceUsers.h"

namespace ringmaster {

/// A sentence for each GPU that is held by ranks which work on another one.
std::vector<Message> strayFindings(const std::vector<DeviceUser>& users);

} // namespace ringmaster
