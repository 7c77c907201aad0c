#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// The numbers of --signals-to-handle; unknown names are skipped, as torchrun does, and SIGHUP is
/// left ignored where nohup made it so.
std::vector<int> signalsToHandle(const std::vector<std::string>& names, bool ignoreHangup);

} // namespace ringmaster
