#pragma once

#include <cstdint>
#include <string_view>

namespace ringmaster {

/// A colour as a program asked a terminal for it; a view finds one of its theme.
struct TextColor
{
    enum class Kind : std::uint8_t { Default, Palette, Direct };
    Kind kind = Kind::Default;
    std::uint8_t red = 0; ///< Or the index in the palette of 256.
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    bool operator==(const TextColor&) const = default;
};

struct TextStyle
{
    TextColor foreground{};
    TextColor background{};
    bool isBold = false;
    bool isFaint = false;
    bool isItalic = false;
    bool isUnderlined = false;
    bool isInverse = false;
    bool operator==(const TextStyle&) const = default;
};

/// From this byte of a line on, until the next.
struct StyledRun
{
    std::uint32_t begin = 0;
    TextStyle style{};
    bool operator==(const StyledRun&) const = default;
};

/// Applies what stands between ESC [ and m (ECMA-48's SGR), for example "1;31" or "38;5;208", as
/// xterm does; what isn't known changes nothing.
void applyGraphicRendition(TextStyle& style, std::string_view parameters);

} // namespace ringmaster
