#pragma once

#include <string_view>

namespace ringmaster {

/// True for the name of a variable, an option or a key whose value isn't for others: token, secret,
/// password, key, credential … as a word of it, in either case. Not --max-tokens, TOKENIZERS_….
bool isSecretName(std::string_view name);

} // namespace ringmaster
