#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// The py-spy that reads a process: beside its interpreter, beside Ringmaster, where set-up
/// installs it, else on PATH. Empty: nowhere.
std::string pySpyFor(int pid);

/// What it wrote on its standard error says that the system doesn't let it read the process.
bool isPySpyRefused(std::string_view error);

} // namespace ringmaster
