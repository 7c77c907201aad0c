#pragma once

#include "engine/base/FileDescriptor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// Listening sockets for each of `addresses` (IP addresses), all on one port; port 0 takes a free
/// one. An address that this machine lacks is left out unless it is the first.
Result<std::vector<FileDescriptor>> listenOn(const std::vector<std::string>& addresses,
                                             std::uint16_t port);

} // namespace ringmaster
