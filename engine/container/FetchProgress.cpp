#include "engine/container/FetchProgress.h"

#include "engine/text/TextSearch.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ringmaster {

namespace {

constexpr double Mebibyte = 1 << 20;
constexpr size_t LongestLine = 4096;
constexpr size_t ShortestDigest = 12;

/// "31.5MiB", "1.2 MB" or "0.0b" at the beginning, in bytes; taken off.
std::optional<double> takeSize(std::string_view& text)
{
    const size_t start = text.find_first_not_of(' ');
    if (start == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(start);
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    if (read.ec != std::errc())
        return std::nullopt;
    if (text.starts_with(' '))
        text.remove_prefix(1);
    const size_t end = text.find_first_of("bB");
    if (end == std::string_view::npos || end > 2)
        return std::nullopt;
    const std::string_view unit = text.substr(0, end);
    text.remove_prefix(end + 1);
    const size_t power =
        unit.empty()
            ? 0
            : std::string_view(" kMGT").find(unit == "Ki" || unit == "K" ? 'k' : unit.front());
    if (power == std::string_view::npos)
        return std::nullopt;
    return number * std::pow(unit.size() == 2 ? 1024 : 1000, static_cast<double>(power));
}

std::string_view digestIn(std::string_view text)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    for (size_t start = 0; (start = text.find_first_of(Digits, start)) != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_not_of(Digits, start), text.size());
        if (end - start >= ShortestDigest)
            return text.substr(start, end - start);
        start = end;
    }
    return {};
}

} // namespace

std::string withoutEscapes(std::string_view text)
{
    std::string kept;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            kept += text[i];
            continue;
        }
        const size_t end = text.find_first_of("ABCDEFGHJKSTfmhlsu", i);
        if (end == std::string_view::npos)
            break;
        i = end;
    }
    return kept;
}

void FetchProgress::heard(std::string_view text)
{
    m_partial += text;
    size_t start = 0;
    for (size_t end = 0; (end = m_partial.find_first_of("\r\n", start)) != std::string::npos;
         start = end + 1)
        line(std::string_view(m_partial).substr(start, end - start));
    m_partial.erase(0, start);
    if (m_partial.size() > LongestLine)
        m_partial.clear();
}

/// podman: "Copying blob 94cee7bfcc10 [===>---] 293.0KiB / 2.9MiB"; docker: "a2abf6c4d29d:
/// Downloading [=>   ]  1.2MB/29.1MB".
void FetchProgress::line(std::string_view text)
{
    const std::string shown = withoutEscapes(text);
    const size_t bar = shown.find('[');
    const size_t barEnd = shown.find("] ", bar == std::string::npos ? 0 : bar);
    if (bar == std::string::npos || barEnd == std::string::npos || contains(shown, "Extracting"))
        return;
    const std::string_view digest = digestIn(std::string_view(shown).substr(0, bar));
    std::string_view figures = std::string_view(shown).substr(barEnd + 1);
    const auto got = takeSize(figures);
    const size_t slash = figures.find('/');
    if (digest.empty() || !got || slash == std::string_view::npos)
        return;
    figures.remove_prefix(slash + 1);
    if (const auto whole = takeSize(figures))
        m_layers[std::string(digest)] = {*got, *whole};
}

std::optional<FetchProgress::Figures> FetchProgress::mebibytes() const
{
    Layer sum;
    for (const auto& [digest, layer] : m_layers) {
        sum.got += layer.got;
        sum.whole += layer.whole;
    }
    if (sum.whole <= 0)
        return std::nullopt;
    return Figures{std::lround(sum.got / Mebibyte), std::lround(sum.whole / Mebibyte)};
}

} // namespace ringmaster
