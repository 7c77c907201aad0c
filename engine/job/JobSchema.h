#pragma once

#include <string>

namespace ringmaster {

/// The JSON schema (draft 7) of `.ringjob` files, made from jobOptions(): editors complete and
/// check TOML by it.
std::string jobSchema();

} // namespace ringmaster
