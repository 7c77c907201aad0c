#include "engine/text/NumberRules.h"

#include "engine/text/Codes.h"

#include <algorithm>
#include <array>

#include <re2/re2.h>

namespace ringmaster {

namespace {

constexpr size_t LongestRuleName = 64;
constexpr size_t LongestExpression = 1000;
constexpr int MostGroups = 8;

bool canBeName(const std::string& name)
{
    return !name.empty() && name.size() <= LongestRuleName &&
           std::ranges::none_of(name, [](char c) { return (c >= 0 && c < ' ') || c == 127; });
}

std::string_view viewOf(const re2::StringPiece& piece)
{
    return {piece.data(), piece.size()};
}

} // namespace

Result<NumberRules> NumberRules::parse(const std::map<std::string, std::string>& expressions)
{
    NumberRules rules;
    if (expressions.size() > Most)
        return fail(code::NumberRulesTooMany, {{"most", std::to_string(Most)}});
    for (const auto& [name, expression] : expressions)
        rules.m_rules.push_back(RM_TRY(ruleOf(name, expression)));
    return rules;
}

Result<void> NumberRules::check(const std::string& name, const std::string& expression)
{
    RM_TRY(ruleOf(name, expression));
    return {};
}

Result<NumberRules::Rule> NumberRules::ruleOf(const std::string& name,
                                              const std::string& expression)
{
    if (!canBeName(name))
        return fail(code::NumberNameInvalid, {{"name", name.substr(0, LongestRuleName)}});
    const Parameters parameters{{"name", name},
                                {"pattern", expression.substr(0, LongestExpression)}};
    if (expression.size() > LongestExpression)
        return fail(code::NumberRuleInvalid, parameters);
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    auto compiled = std::make_shared<const RE2>(expression, options);
    if (!compiled->ok())
        return fail(code::NumberRuleInvalid, parameters, compiled->error());
    const int groups = compiled->NumberOfCapturingGroups();
    if (groups == 0 || groups > MostGroups)
        return fail(code::NumberRuleWithoutGroup, parameters);
    const auto& named = compiled->NamedCapturingGroups();
    const auto total = named.find("total");
    const int group = total == named.end() ? 0 : total->second;
    // The number is the first group that isn't the total.
    if (group == 1 && groups == 1)
        return fail(code::NumberRuleWithoutGroup, parameters);
    return Rule{name, std::move(compiled), group};
}

std::vector<NumberRules::Match> NumberRules::matches(std::string_view line) const
{
    std::vector<Match> matches;
    const re2::StringPiece text(line.data(), line.size());
    for (const Rule& rule : m_rules) {
        std::array<re2::StringPiece, MostGroups + 1> groups;
        if (!rule.expression->Match(text, 0, text.size(), RE2::UNANCHORED, groups.data(),
                                    1 + rule.expression->NumberOfCapturingGroups()))
            continue;
        const size_t value = rule.total == 1 ? 2 : 1;
        matches.push_back({rule.name, viewOf(groups.at(value)),
                           rule.total == 0 ? std::string_view()
                                           : viewOf(groups.at(static_cast<size_t>(rule.total)))});
    }
    return matches;
}

} // namespace ringmaster
