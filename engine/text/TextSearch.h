#pragma once

#include <span>
#include <string_view>

namespace ringmaster {

// What is looked for in what another program has said.

bool contains(std::string_view text, std::string_view part);
bool containsAny(std::string_view text, std::span<const std::string_view> parts);

/// The first line that isn't empty.
std::string_view firstLine(std::string_view text);

/// The last line that isn't empty, without the blanks after it.
std::string_view lastLine(std::string_view text);

} // namespace ringmaster
