#pragma once

#include "engine/base/Result.h"

#include <string_view>

#include <nlohmann/json.hpp>

namespace ringmaster {

/// Reads a pickle that is plain data, as torch's own pickler and Python's write None, numbers,
/// text, lists, tuples and dicts. Nothing is looked up, made or called: whatever else a pickle can
/// ask for is refused with code::ImportUnsafe, and what is none with code::ImportDamaged. Memory
/// is bounded.
Result<nlohmann::json> readPlainPickle(std::string_view bytes);

/// It begins as one does.
bool looksLikePickle(std::string_view bytes);

} // namespace ringmaster
