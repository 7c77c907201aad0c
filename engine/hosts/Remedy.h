#pragma once

#include "engine/base/Error.h"
#include "engine/hosts/Host.h"

#include <string>

namespace ringmaster {

/// A line for the user's shell that mends what a finding or an error about this host says; empty:
/// no line alone does. Nothing here runs it.
std::string remedyFor(const Message& message, const Host& host);

} // namespace ringmaster
