#include "engine/text/LineNumbers.h"

#include "engine/text/BarNumbers.h"
#include "engine/text/NumberText.h"
#include "engine/text/PairNumbers.h"
#include "engine/text/WordNumbers.h"

#include <algorithm>

namespace ringmaster {

namespace {

std::optional<double> valueOf(std::string_view text)
{
    const auto number = numberAt(text, skipBlanks(text, 0));
    return number ? std::optional(number->value) : std::nullopt;
}

} // namespace

std::vector<NamedNumber> LineNumbers::read(std::string_view line) const
{
    line = line.substr(0, LongestLine);
    NumberList numbers;
    // The user knows better: a rule's number comes before what is found without one.
    for (const NumberRules::Match& match : m_rules.matches(line)) {
        if (const auto value = valueOf(match.value))
            numbers.addAs(match.name, *value, valueOf(match.total));
    }
    if (readBarNumbers(line, numbers))
        return numbers.take();
    const size_t pairs = readPairNumbers(line, numbers);
    readWordNumbers(line.substr(0, std::min(pairs, line.size())), numbers);
    return numbers.take();
}

} // namespace ringmaster
