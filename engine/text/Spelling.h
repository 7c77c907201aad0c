#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the
/// other.
size_t editDistance(std::string_view from, std::string_view to);

/// The known word that was probably meant; nothing when none is near.
std::optional<std::string> nearestSpelling(std::string_view word,
                                           const std::vector<std::string>& known);

} // namespace ringmaster
