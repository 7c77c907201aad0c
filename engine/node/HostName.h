#pragma once

#include <string>

namespace ringmaster {

/// The machine's full name, or its short one where the resolver takes long: a job doesn't wait for
/// it.
std::string hostNameSoon();

} // namespace ringmaster
