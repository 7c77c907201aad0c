#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// "0-2, 5", in their order whatever the given one; empty: none.
std::string rankList(std::vector<int> ranks);

} // namespace ringmaster
