#include "engine/text/PythonText.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace ringmaster {

namespace {

constexpr std::string_view Blanks = " \t\n\r\f\v";

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Removes underscores where Python allows them: between two digits, one at a time.
std::optional<std::string> withoutUnderscores(std::string_view text)
{
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            plain += text[i];
            continue;
        }
        const bool between =
            i > 0 && i + 1 < text.size() && isDigit(text[i - 1]) && isDigit(text[i + 1]);
        if (!between)
            return std::nullopt;
    }
    return plain;
}

/// std::from_chars knows no plus sign; Python does, once.
std::optional<std::string_view> withoutPlus(std::string_view text)
{
    if (text.empty() || text.front() != '+')
        return text;
    text.remove_prefix(1);
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        return std::nullopt;
    return text;
}

template <class Number>
std::optional<Number> wholeNumber(std::string_view text)
{
    const auto plain = withoutUnderscores(stripped(text));
    if (!plain)
        return std::nullopt;
    const auto digits = withoutPlus(*plain);
    if (!digits)
        return std::nullopt;
    Number number{};
    const char* end = digits->data() + digits->size();
    const auto [stop, error] = std::from_chars(digits->data(), end, number);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return number;
}

/// Length of the UTF-8 sequence that starts here, 0 when it isn't one.
size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || lead > 0xF4 || text.size() < length)
        return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U)
            return 0;
    }
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool noCharacter = (lead == 0xED && byte(1) >= 0xA0) || (lead == 0xF4 && byte(1) >= 0x90);
    return overlong || noCharacter ? 0 : length;
}

/// Python reads the bytes of an argument that aren't UTF-8 as lone surrogates.
std::string escaped(unsigned char byte)
{
    std::array<char, 8> text{};
    const char* format = byte >= 0x80 ? "\\udc%02x" : "\\x%02x";
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(byte));
    return text.data();
}

} // namespace

std::string_view stripped(std::string_view text)
{
    const size_t first = text.find_first_not_of(Blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(Blanks) + 1 - first);
}

std::optional<int> pythonInt(std::string_view text)
{
    return wholeNumber<int>(text);
}

std::optional<int> digitsToInt(std::string_view text, size_t most)
{
    const bool areDigits = text.find_first_not_of("0123456789") == std::string_view::npos;
    return areDigits && text.size() <= most ? pythonInt(text) : std::nullopt;
}

std::optional<double> pythonFloat(std::string_view text)
{
    const auto number = wholeNumber<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string pythonRepr(std::string_view text)
{
    const bool single = text.find('\'') != std::string_view::npos;
    const char quote = single && text.find('"') == std::string_view::npos ? '"' : '\'';
    std::string repr(1, quote);
    while (!text.empty()) {
        const char c = text.front();
        size_t used = 1;
        if (c == quote || c == '\\')
            repr += std::string("\\") + c;
        else if (c == '\n' || c == '\t' || c == '\r')
            repr += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
        else if (c >= ' ' && c < 0x7F)
            repr += c;
        else if (const size_t length = sequenceLength(text); length > 1)
            repr += text.substr(0, used = length);
        else
            repr += escaped(static_cast<unsigned char>(c));
        text.remove_prefix(used);
    }
    return repr + quote;
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> items;
    for (;;) {
        const size_t end = text.find(separator);
        items.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return items;
        text.remove_prefix(end + 1);
    }
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const size_t length = sequenceLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string join(const std::vector<std::string>& items, std::string_view separator)
{
    std::string text;
    for (size_t i = 0; i < items.size(); ++i)
        text.append(i == 0 ? std::string_view() : separator).append(items[i]);
    return text;
}

std::string
substituteTemplate(std::string_view text,
                   const std::function<std::optional<std::string>(std::string_view)>& lookup)
{
    std::string result;
    for (size_t at = 0; at < text.size();) {
        if (text[at] != '$') {
            result += text[at++];
            continue;
        }
        const bool braced = at + 1 < text.size() && text[at + 1] == '{';
        const size_t start = at + (braced ? 2 : 1);
        size_t end = start;
        while (end < text.size() && (isNameStart(text[end]) || (end > start && isDigit(text[end]))))
            ++end;
        const bool named = end > start && (!braced || (end < text.size() && text[end] == '}'));
        if (named) {
            const size_t next = end + (braced ? 1 : 0);
            const auto value = lookup(text.substr(start, end - start));
            result += value ? *value : std::string(text.substr(at, next - at));
            at = next;
        } else {
            result += '$';
            at += at + 1 < text.size() && text[at + 1] == '$' ? 2 : 1;
        }
    }
    return result;
}

} // namespace ringmaster
