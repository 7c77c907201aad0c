#include "engine/record/TextStyle.h"

#include <array>
#include <charconv>
#include <optional>

namespace ringmaster {

namespace {

constexpr size_t MostParameters = 32;
constexpr int ExtendedForeground = 38;
constexpr int ExtendedBackground = 48;

/// The numbers of a sequence. Both separators are read alike; an empty one is 0.
class StyleParameters
{
public:
    explicit StyleParameters(std::string_view text)
    {
        while (m_count < MostParameters) {
            const size_t end = text.find_first_of(";:");
            const std::string_view part = text.substr(0, end);
            int value = 0;
            std::from_chars(part.data(), part.data() + part.size(), value);
            m_isEmpty[m_count] = part.empty();
            m_values[m_count++] = value;
            if (end == std::string_view::npos)
                return;
            text.remove_prefix(end + 1);
        }
    }

    bool hasNext() const { return m_at < m_count; }
    int next() { return hasNext() ? m_values[m_at++] : 0; }
    void skipEmpty() { m_at += hasNext() && m_isEmpty[m_at] ? 1 : 0; }
    size_t left() const { return m_count - m_at; }

private:
    std::array<int, MostParameters> m_values{};
    std::array<bool, MostParameters> m_isEmpty{};
    size_t m_count = 0;
    size_t m_at = 0;
};

std::optional<std::uint8_t> byteOf(int value)
{
    if (value < 0 || value > UINT8_MAX)
        return std::nullopt;
    return static_cast<std::uint8_t>(value);
}

TextColor paletteColor(int index)
{
    return {TextColor::Kind::Palette, static_cast<std::uint8_t>(index), 0, 0};
}

/// After 38 or 48: 5 and an index, or 2 and three parts.
void readExtended(TextColor& color, StyleParameters& parameters)
{
    constexpr int ByIndex = 5;
    constexpr int ByParts = 2;
    switch (parameters.next()) {
    case ByIndex:
        if (const auto index = byteOf(parameters.next()))
            color = paletteColor(*index);
        return;
    case ByParts: {
        // 38:2::r:g:b has a place for a colour space, which nobody fills in.
        if (parameters.left() > 3)
            parameters.skipEmpty();
        const auto red = byteOf(parameters.next());
        const auto green = byteOf(parameters.next());
        const auto blue = byteOf(parameters.next());
        if (red && green && blue)
            color = {TextColor::Kind::Direct, *red, *green, *blue};
        return;
    }
    }
}

/// 30 to 37 and 90 to 97, and ten more for the background; 39 and 49 take it back.
bool readPlainColor(TextStyle& style, int code)
{
    const auto within = [code](int first) { return code >= first && code < first + 8; };
    if (within(30))
        style.foreground = paletteColor(code - 30);
    else if (within(90))
        style.foreground = paletteColor(code - 90 + 8);
    else if (within(40))
        style.background = paletteColor(code - 40);
    else if (within(100))
        style.background = paletteColor(code - 100 + 8);
    else if (code == 39)
        style.foreground = {};
    else if (code == 49)
        style.background = {};
    else
        return false;
    return true;
}

void readAttribute(TextStyle& style, int code)
{
    switch (code) {
    case 0: style = {}; return;
    case 1: style.isBold = true; return;
    case 2: style.isFaint = true; return;
    case 3: style.isItalic = true; return;
    case 4: style.isUnderlined = true; return;
    case 7: style.isInverse = true; return;
    case 22: style.isBold = style.isFaint = false; return;
    case 23: style.isItalic = false; return;
    case 24: style.isUnderlined = false; return;
    case 27: style.isInverse = false; return;
    }
}

} // namespace

void applyGraphicRendition(TextStyle& style, std::string_view parameters)
{
    // Private ones ("?1", ">4;2") set something else.
    if (parameters.find_first_not_of("0123456789;:") != std::string_view::npos)
        return;
    StyleParameters values(parameters);
    while (values.hasNext()) {
        const int code = values.next();
        if (code == ExtendedForeground)
            readExtended(style.foreground, values);
        else if (code == ExtendedBackground)
            readExtended(style.background, values);
        else if (!readPlainColor(style, code))
            readAttribute(style, code);
    }
}

} // namespace ringmaster
