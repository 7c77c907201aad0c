#pragma once

#include "engine/base/Result.h"

#include <string>
#include <vector>

namespace ringmaster {

/// "0", "0,2", "0,2-3": global ranks, in order.
Result<std::vector<int>> parseRanks(const std::string& text);

} // namespace ringmaster
