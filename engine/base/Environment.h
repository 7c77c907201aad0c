#pragma once

#include <map>
#include <string>
#include <vector>

namespace ringmaster {

/// Variables of a process, by name.
using EnvironmentMap = std::map<std::string, std::string>;

/// NAME=value, as a process is given them.
std::vector<std::string> environmentLines(const EnvironmentMap& variables);

/// The environment of this process.
EnvironmentMap currentEnvironment();

} // namespace ringmaster
