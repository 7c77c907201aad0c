#pragma once

#include "engine/base/Result.h"
#include "engine/store/Codes.h"

#include <chrono>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// The keys as they are on the wire: a slash before each. Refuses what a server would close the
/// connection for: too many keys, or one that is too long.
Result<std::vector<std::string>> wireKeys(std::span<const std::string> keys);
Result<std::string> wireKey(std::string_view key);

/// Refuses a value that is too long.
Result<void> checkValue(std::string_view value);

/// The user's form of a key on the wire; nothing for those that torch keeps for itself ("init/").
std::vector<std::string> userKeys(std::vector<std::string> keys);

/// code::StoreKeyMissing with the first of `keys` (as on the wire).
Error keysMissing(std::span<const std::string> keys, std::chrono::milliseconds timeout);

/// "0.25", "30".
std::string inSeconds(std::chrono::milliseconds duration);

} // namespace ringmaster
