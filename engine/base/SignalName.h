#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

/// "SIGTERM"; "SIGRTMIN+3"; "signal 99" for a number that has no name.
std::string signalName(int signal);

/// "exit code 3"; of a negative one, the name of the signal.
std::string exitText(int exitCode);

/// "SIGTERM", "TERM" or "15".
std::optional<int> signalFromName(std::string_view name);

} // namespace ringmaster
