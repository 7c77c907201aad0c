// A line that a program has printed, in which numbers are looked for; where the text has more
// lines, those before the last are rules of a job file. What is found is finite, bounded, named
// with plain text, and doesn't depend on what stands behind the line's end.

#include "Fuzz.h"
#include "engine/text/BarNumbers.h"
#include "engine/text/LineNumbers.h"

#include <cmath>
#include <set>

using namespace ringmaster;

namespace {

LineNumbers readerWith(std::string_view rules)
{
    std::map<std::string, std::string> expressions;
    while (!rules.empty()) {
        const size_t end = std::min(rules.find('\n'), rules.size());
        const std::string_view rule = rules.substr(0, end);
        rules.remove_prefix(std::min(end + 1, rules.size()));
        const size_t space = std::min(rule.find(' '), rule.size());
        expressions[std::string(rule.substr(0, space))] = rule.substr(space);
    }
    return LineNumbers(NumberRules::parse(expressions).value_or(NumberRules()));
}

void requireNumbers(const std::vector<NamedNumber>& numbers)
{
    std::set<std::string> names;
    fuzz::require(numbers.size() <= NumberList::Most);
    for (const NamedNumber& number : numbers) {
        fuzz::require(names.insert(number.name).second);
        fuzz::require(!number.name.empty() && number.name.size() <= 64);
        for (const char c : number.name)
            fuzz::require(c < 0 || c >= ' ');
        fuzz::require(std::isfinite(number.value));
        fuzz::require(!number.total || (std::isfinite(*number.total) && *number.total > 0 &&
                                        number.value <= *number.total));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view said = fuzz::textOf(data, size);
    const size_t last = said.rfind('\n');
    const bool hasRules = last != std::string_view::npos;
    const std::string_view line = hasRules ? said.substr(last + 1) : said;
    const LineNumbers reader = readerWith(hasRules ? said.substr(0, last) : std::string_view());
    const auto numbers = reader.read(line);
    requireNumbers(numbers);
    // A copy of just that size: nothing is read behind it.
    const std::vector<char> copy(line.begin(), line.end());
    fuzz::require(reader.read({copy.data(), copy.size()}) == numbers);
    (void)isWholeBar(line);
    return 0;
}
