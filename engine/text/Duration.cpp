#include "engine/text/Duration.h"

#include "engine/text/PythonText.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace ringmaster {

namespace {

using std::chrono::milliseconds;

constexpr double LongestSeconds = 100.0 * 366 * 24 * 3600;

struct Unit
{
    std::string_view name;
    std::int64_t milliseconds;
};

constexpr std::array<Unit, 5> Units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};

/// One "90s" of "1h90s": the number and the letters behind it, both taken off `text`.
std::optional<double> takePart(std::string_view& text)
{
    const size_t letters = text.find_first_not_of("0123456789.");
    if (letters == 0 || letters == std::string_view::npos)
        return std::nullopt;
    const size_t next = std::min(text.find_first_of("0123456789.", letters), text.size());
    const std::string_view unit = text.substr(letters, next - letters);
    double number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + letters, number);
    if (error != std::errc() || stop != text.data() + letters)
        return std::nullopt;
    text.remove_prefix(next);
    for (const Unit& known : Units) {
        if (unit == known.name)
            return number * static_cast<double>(known.milliseconds) / 1000;
    }
    return std::nullopt;
}

} // namespace

std::optional<milliseconds> secondsToDuration(double seconds)
{
    if (!(std::abs(seconds) <= LongestSeconds))
        return std::nullopt;
    const auto count = static_cast<std::int64_t>(std::llround(seconds * 1000));
    if (count == 0 && seconds > 0)
        return milliseconds(1);
    return milliseconds(count);
}

std::optional<milliseconds> parseDuration(std::string_view text)
{
    text = stripped(text);
    if (const auto plain = pythonFloat(text))
        return secondsToDuration(*plain);
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    if (text.empty())
        return std::nullopt;
    double seconds = 0;
    while (!text.empty()) {
        const auto part = takePart(text);
        if (!part)
            return std::nullopt;
        seconds += *part;
    }
    return secondsToDuration(negative ? -seconds : seconds);
}

std::string durationText(milliseconds duration)
{
    if (duration.count() == 0)
        return "0s";
    std::string text = duration.count() < 0 ? "-" : "";
    std::int64_t left = std::abs(duration.count());
    if (left < 120'000 && left % 1000 == 0)
        return text + std::to_string(left / 1000) + "s";
    for (const Unit& unit : Units) {
        if (left >= unit.milliseconds)
            text += std::to_string(left / unit.milliseconds).append(unit.name);
        left %= unit.milliseconds;
    }
    return text;
}

std::string secondsText(milliseconds duration)
{
    const std::int64_t count = std::abs(duration.count());
    std::string text = (duration.count() < 0 ? "-" : "") + std::to_string(count / 1000);
    if (count % 1000 == 0)
        return text;
    std::string fraction = std::to_string(1000 + count % 1000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return text + "." + fraction;
}

} // namespace ringmaster
