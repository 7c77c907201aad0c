#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// One cell of a CSV file (RFC 4180), in quotes where it needs them. What a spreadsheet would
/// compute, for it begins like a formula, gets an apostrophe before it. Not for numbers.
std::string csvCell(std::string_view text);

} // namespace ringmaster
