#pragma once

#include <string_view>

namespace ringmaster {

/// TOKEN, SECRET, PASSWORD, KEY, CREDENTIAL … anywhere in the name, in either case.
bool isSecretName(std::string_view name);

} // namespace ringmaster
