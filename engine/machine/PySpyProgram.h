#pragma once

#include <string>

namespace ringmaster {

/// The py-spy that reads a process: beside its interpreter, beside Ringmaster, where set-up
/// installs it, else on PATH. Empty: nowhere.
std::string pySpyFor(int pid);

} // namespace ringmaster
