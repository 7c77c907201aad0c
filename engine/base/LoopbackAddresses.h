#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// Where a client on this machine looks for a store of this machine: 127.0.0.1; ::1, which torch
/// tries first for "localhost"; 127.0.1.1, which Debian gives the machine's own name.
std::vector<std::string> loopbackAddresses();

} // namespace ringmaster
