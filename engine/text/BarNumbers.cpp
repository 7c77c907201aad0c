#include "engine/text/BarNumbers.h"

#include "engine/text/NumberNames.h"
#include "engine/text/NumberText.h"
#include "engine/text/WordNumbers.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr std::string_view RichBar = "\u2501";
constexpr size_t LongestDescription = 32;

std::string_view trimmed(std::string_view text)
{
    const size_t begin = text.find_first_not_of(" \t:");
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(" \t:") - begin + 1);
}

struct Count
{
    double value = 0;
    std::optional<double> total{};
    size_t end = 0;
};

/// "420/1000"
std::optional<Count> countAt(std::string_view text, size_t at)
{
    const auto value = looseNumberAt(text, at);
    if (!value || !value->isWhole || value->end >= text.size() || text[value->end] != '/')
        return std::nullopt;
    const auto total = numberAt(text, value->end + 1);
    if (!total || !total->isWhole)
        return std::nullopt;
    return Count{value->value, total->value, total->end};
}

/// What a bar counts, by the description before it; "step" where that doesn't say.
std::string counterOf(std::string_view description, bool hasNumbers)
{
    const std::string name = numberName(trimmed(description));
    if (hasNumbers || name.empty() || name.size() > LongestDescription || isNumberQualifier(name) ||
        isCounterName(name))
        return "step";
    const bool isWords = std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == ' ' || c == '_' || c == '-';
    });
    return isWords ? name : "step";
}

/// "33.60it/s", "1.25s/it"; others have other units.
void readRate(std::string_view text, NumberList& numbers)
{
    const auto number = looseNumberAt(text, 0);
    if (!number)
        return;
    const std::string_view unit = trimmed(text.substr(number->end));
    if (unit == "it/s")
        numbers.addAs("it/s", number->value);
    else if (unit == "s/it" && number->value > 0)
        numbers.addAs("it/s", 1 / number->value);
}

/// "00:12<00:17, 33.60it/s, loss=0.31, v_num=0"
void readStatus(std::string_view status, NumberList& numbers)
{
    for (size_t place = 0; !status.empty(); ++place) {
        const size_t end = std::min(status.find(','), status.size());
        const std::string_view part = trimmed(status.substr(0, end));
        status.remove_prefix(std::min(end + 1, status.size()));
        const size_t sign = part.find('=');
        if (place == 1)
            readRate(part, numbers);
        if (sign == std::string_view::npos)
            continue;
        const std::string name = numberName(trimmed(part.substr(0, sign)));
        const auto number = numberAt(part, sign + 1);
        if (!name.empty() && !isNoNumberName(name) && number)
            numbers.addAs(name, number->value);
    }
}

bool isTime(std::string_view text)
{
    const auto number = looseNumberAt(text, 0);
    return number && number->isWhole && number->end < text.size() && text[number->end] == ':';
}

void readBehind(std::string_view text, NumberList& numbers)
{
    const size_t at = skipBlanks(text, 0);
    if (at >= text.size() || text[at] != '[')
        return;
    const size_t end = std::min(text.rfind(']'), text.size());
    readStatus(text.substr(at + 1, end > at ? end - at - 1 : 0), numbers);
}

/// " 42%|####2     | 420/1000 [00:12<00:17, 33.60it/s]"
bool readTqdm(std::string_view text, NumberList& numbers)
{
    const size_t percent = text.find("%|");
    if (percent == std::string_view::npos || percent == 0)
        return false;
    const size_t bar = text.find("| ", percent + 2);
    const size_t countBegin = bar == std::string_view::npos ? bar : skipBlanks(text, bar + 1);
    const auto count =
        countBegin == std::string_view::npos ? std::nullopt : countAt(text, countBegin);
    if (!count)
        return false;
    const size_t digits = text.find_last_not_of("0123456789", percent - 1);
    const std::string_view description =
        digits == std::string_view::npos ? std::string_view() : text.substr(0, digits + 1);
    NumberList before;
    readWordNumbers(description, before);
    const bool hasNumbers = !before.isEmpty();
    numbers.add(counterOf(description, hasNumbers), count->value, count->total);
    for (const NamedNumber& one : before.take())
        numbers.addAs(one.name, one.value, one.total);
    readBehind(text.substr(count->end), numbers);
    return true;
}

/// "420it [00:12, 33.60it/s]", where tqdm doesn't know the total.
bool readEndlessTqdm(std::string_view text, NumberList& numbers)
{
    // A bracket is rarer than the letters before it.
    const size_t bracket = text.find('[');
    if (bracket == std::string_view::npos || bracket < 4 || !isTime(text.substr(bracket + 1)) ||
        text.substr(bracket - 3, 3) != "it ")
        return false;
    const size_t unit = bracket - 3;
    const size_t before = text.find_last_not_of("0123456789", unit - 1);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const auto count = looseNumberAt(text, begin);
    if (!count || !count->isWhole || count->end != unit)
        return false;
    numbers.add(counterOf(text.substr(0, begin), false), count->value);
    readBehind(text.substr(unit + 2), numbers);
    return true;
}

/// "Epoch 3/9 ━━━━ 42/100 0:00:12 • 0:00:17 loss: 0.31", and Keras: "42/100 ━━━━ 2s loss: 0.31".
bool readRichBar(std::string_view text, NumberList& numbers)
{
    const size_t bar = text.find(RichBar);
    if (const auto count = countAt(text, skipBlanks(text, 0))) {
        const std::string_view behind = text.substr(count->end);
        const bool isOld =
            behind.starts_with(" [=") || behind.starts_with(" [>") || behind.starts_with(" [.");
        if (!isOld && (bar == std::string_view::npos || bar != count->end + 1))
            return false;
        numbers.add("step", count->value, count->total);
        readWordNumbers(text.substr(count->end), numbers);
        return true;
    }
    if (bar == std::string_view::npos)
        return false;
    const size_t last = text.rfind(RichBar) + RichBar.size();
    size_t at = std::min(text.find(' ', last), text.size());
    at = skipBlanks(text, at);
    const auto count = countAt(text, at);
    if (!count)
        return false;
    NumberList before;
    readWordNumbers(text.substr(0, bar), before);
    numbers.add(counterOf(text.substr(0, bar), !before.isEmpty()), count->value, count->total);
    for (const NamedNumber& one : before.take())
        numbers.addAs(one.name, one.value, one.total);
    readWordNumbers(text.substr(count->end), numbers);
    return true;
}

} // namespace

bool readBarNumbers(std::string_view text, NumberList& numbers)
{
    return readTqdm(text, numbers) || readEndlessTqdm(text, numbers) || readRichBar(text, numbers);
}

bool isWholeBar(std::string_view text)
{
    const std::string_view bar = trimmed(text);
    return bar.ends_with(']') &&
           (bar.find("%|") != std::string_view::npos || bar.find("it [") != std::string_view::npos);
}

} // namespace ringmaster
