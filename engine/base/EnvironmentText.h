#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// The values of a variable in an environment as /proc has it, in their order; usually one.
std::vector<std::string> valuesIn(std::string_view environment, std::string_view name);

} // namespace ringmaster
