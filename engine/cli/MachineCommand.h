#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// The words of a command line, carried out on another machine: what it prints is printed, and its
/// exit code is the answer. Errors are said; 2 is their exit code, as of any command's.
int commandOn(const std::string& machine, const std::vector<std::string>& words);

} // namespace ringmaster
