#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// The `ringmaster` command: its exit code. `program` is argv[0].
int commandMain(const std::string& program, std::vector<std::string> words);

/// The same for somebody on another machine, who has said --on: here that's this one.
int commandForElsewhere(std::vector<std::string> words);

} // namespace ringmaster
