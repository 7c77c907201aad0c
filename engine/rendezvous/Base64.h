#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringmaster {

std::string encodeBase64(std::string_view bytes);

/// Strict: the standard alphabet, padded, no white space; nothing when it isn't that.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace ringmaster
