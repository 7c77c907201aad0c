#pragma once

#include "engine/base/Result.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace re2 {
class RE2;
}

namespace ringmaster {

/// A user's own expressions (RE2) for numbers in a program's output, by the number's name. An
/// expression's first group is the number, a group `total` what it counts up to. Takes time linear
/// in the line.
class NumberRules
{
public:
    static constexpr size_t Most = 32;

    struct Match
    {
        const std::string& name;
        std::string_view value;
        std::string_view total; ///< Empty: none.
    };

    NumberRules() = default;

    /// code::NumberRuleInvalid and its like, with the name of the rule.
    static Result<NumberRules> parse(const std::map<std::string, std::string>& expressions);
    /// Whether one of them could be parsed.
    static Result<void> check(const std::string& name, const std::string& expression);

    bool isEmpty() const { return m_rules.empty(); }
    /// Those that match, each where it matches first. Parts of the line.
    std::vector<Match> matches(std::string_view line) const;

private:
    struct Rule
    {
        std::string name{};
        std::shared_ptr<const re2::RE2> expression{};
        int total = 0; ///< Its group; 0: none.
    };

    static Result<Rule> ruleOf(const std::string& name, const std::string& expression);

    std::vector<Rule> m_rules;
};

} // namespace ringmaster
