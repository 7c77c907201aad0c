#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ringmaster {

/// A finite number as programs print it, and where it ends. Pure, of any bytes.
struct NumberText
{
    double value = 0;
    size_t end = 0;       ///< The place behind it.
    bool isWhole = false; ///< Digits alone.
};

/// The number that begins there: "-1.5e-05", "1,200,000". Not where letters or a further part
/// follow, as in a version, a time of day, an address or a range.
std::optional<NumberText> numberAt(std::string_view text, size_t at);

/// The same with whatever behind it, digits and at most one point.
std::optional<NumberText> looseNumberAt(std::string_view text, size_t at);

/// Whether a number may end there.
bool endsNumber(std::string_view text, size_t at);

/// The first place from there on that isn't a space or tab.
size_t skipBlanks(std::string_view text, size_t at);

} // namespace ringmaster
