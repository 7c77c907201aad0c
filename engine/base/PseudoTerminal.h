#pragma once

#include "engine/base/FileDescriptor.h"

namespace ringmaster {

/// A terminal for a worker's output: the agent reads what the worker writes to `slave`.
struct PseudoTerminal
{
    FileDescriptor master;
    FileDescriptor slave;
};

/// Raw: bytes go through exactly as written, and the real terminal does what terminals do to them.
Result<PseudoTerminal> openPseudoTerminal();

/// Gives the terminal behind `master` the size of the one behind `terminal`, if that is one.
void copyTerminalSize(int terminal, int master);

} // namespace ringmaster
