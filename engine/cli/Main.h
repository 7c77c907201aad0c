#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// The `ringmaster` command: its exit code. `program` is argv[0].
int commandMain(const std::string& program, std::vector<std::string> words);

} // namespace ringmaster
