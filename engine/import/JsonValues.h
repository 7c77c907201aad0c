#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace ringmaster {

/// Values of JSON that something else wrote: what is missing or of another type is taken for
/// nothing.
const nlohmann::json* memberOf(const nlohmann::json& object, const char* name);
/// Bounded.
std::string textOf(const nlohmann::json& object, const char* name, size_t longest = 512);
/// A number or a text that is one.
std::int64_t numberOf(const nlohmann::json& object, const char* name, std::int64_t otherwise = 0);
bool isTrue(const nlohmann::json& object, const char* name);

/// "[0, 1, 2]", a list, or nothing; ranks that can't be ones aren't taken, nor an abridged list.
std::vector<int> ranksIn(const nlohmann::json& value);

constexpr int MostRanks = 65'536;

} // namespace ringmaster
