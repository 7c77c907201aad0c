#include "engine/text/NumberText.h"

#include <charconv>
#include <cmath>
#include <string>

namespace ringmaster {

namespace {

bool isDecimal(char c)
{
    return c >= '0' && c <= '9';
}

bool isDecimalAt(std::string_view text, size_t at)
{
    return at < text.size() && isDecimal(text[at]);
}

size_t digitsFrom(std::string_view text, size_t at)
{
    size_t end = at;
    while (isDecimalAt(text, end))
        ++end;
    return end - at;
}

/// "1,200,000"
std::optional<NumberText> groupedAt(std::string_view text, size_t at)
{
    const size_t first = digitsFrom(text, at);
    if (first == 0 || first > 3)
        return std::nullopt;
    std::string digits(text.substr(at, first));
    size_t end = at + first;
    while (end < text.size() && text[end] == ',' && digitsFrom(text, end + 1) == 3) {
        digits += text.substr(end + 1, 3);
        end += 4;
    }
    const bool isOfTotal = end < text.size() && text[end] == '/';
    if (digits.size() == first || digits.size() > 15 || (!isOfTotal && !endsNumber(text, end)))
        return std::nullopt;
    return NumberText{std::stod(digits), end, true};
}

} // namespace

std::optional<NumberText> looseNumberAt(std::string_view text, size_t at)
{
    size_t begin = at;
    if (begin < text.size() && (text[begin] == '+' || text[begin] == '-'))
        ++begin;
    const bool isFraction = begin < text.size() && text[begin] == '.';
    if (!isDecimalAt(text, isFraction ? begin + 1 : begin))
        return std::nullopt;
    double value = 0;
    const char* const from = text.data() + begin;
    const auto parsed = std::from_chars(from, text.data() + text.size(), value);
    if (parsed.ec != std::errc() || !std::isfinite(value))
        return std::nullopt;
    const auto length = static_cast<size_t>(parsed.ptr - from);
    return NumberText{text[at] == '-' ? -value : value, begin + length,
                      begin == at && digitsFrom(text, begin) == length};
}

std::optional<NumberText> numberAt(std::string_view text, size_t at)
{
    if (const auto grouped = groupedAt(text, at))
        return grouped;
    auto number = looseNumberAt(text, at);
    if (!number)
        return std::nullopt;
    // "12." at the end of a sentence is 12.
    if (text[number->end - 1] == '.' && number->end < text.size() && !endsNumber(text, number->end))
        return std::nullopt;
    return endsNumber(text, number->end) ? number : std::nullopt;
}

bool endsNumber(std::string_view text, size_t at)
{
    if (at >= text.size())
        return true;
    const char next = text[at];
    const char afterNext = at + 1 < text.size() ? text[at + 1] : ' ';
    switch (next) {
    case ' ':
    case '\t':
    case '\r':
    case ',':
    case ';':
    case '(':
    case ')':
    case ']':
    case '}':
    case '|':
    case '\'':
    case '"':
    case '%': return true;
    case ':': return !isDecimal(afterNext) && afterNext != ':';
    case '.':
    case '-': return afterNext == ' ';
    default: return static_cast<unsigned char>(next) >= 0x80;
    }
}

size_t skipBlanks(std::string_view text, size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
        ++at;
    return at;
}

} // namespace ringmaster
