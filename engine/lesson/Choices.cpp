#include "engine/lesson/Choices.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace ringmaster::lesson {

namespace {

constexpr size_t MostChoices = 4;

/// Two texts of the same number are one answer.
bool isSame(const Choice& one, const Choice& other)
{
    if (one.kind != Choice::Kind::Number || other.kind != Choice::Kind::Number)
        return one == other;
    char* oneEnd = nullptr;
    char* otherEnd = nullptr;
    const double oneValue = std::strtod(one.number.c_str(), &oneEnd);
    const double otherValue = std::strtod(other.number.c_str(), &otherEnd);
    if (*oneEnd != '\0' || *otherEnd != '\0' || one.number.empty() || other.number.empty())
        return one.number == other.number;
    return oneValue == otherValue || (std::isnan(oneValue) && std::isnan(otherValue));
}

bool isBefore(const Choice& one, const Choice& other)
{
    if (one.kind == Choice::Kind::Number)
        return std::strtod(one.number.c_str(), nullptr) <
               std::strtod(other.number.c_str(), nullptr);
    return std::pair(one.kind, one.ranks) < std::pair(other.kind, other.ranks);
}

} // namespace

Choice numberChoice(std::string text)
{
    return {.kind = Choice::Kind::Number, .number = std::move(text), .ranks = {}};
}

std::string writtenLike(const std::string& pattern, double value)
{
    const bool isWhole = pattern.find_first_of(".en") == std::string::npos;
    if (isWhole || std::abs(value) > 1e15)
        return std::to_string(std::llround(value));
    std::string text = std::to_string(value);
    while (text.ends_with('0') && !text.ends_with(".0"))
        text.pop_back();
    return text;
}

Choices choicesWith(const Choice& right, const std::vector<Choice>& others)
{
    Choices choices{.all = {right}};
    const auto find = [&choices](const Choice& wanted) {
        return std::ranges::find_if(
            choices.all, [&wanted](const Choice& known) { return isSame(known, wanted); });
    };
    for (const Choice& other : others)
        if (choices.all.size() < MostChoices && find(other) == choices.all.end())
            choices.all.push_back(other);
    std::ranges::sort(choices.all, isBefore);
    choices.right = static_cast<size_t>(find(right) - choices.all.begin());
    return choices;
}

std::string describe(const Choice& choice)
{
    switch (choice.kind) {
    case Choice::Kind::Number: return choice.number;
    case Choice::Kind::Yes: return "yes";
    case Choice::Kind::No: return "no";
    case Choice::Kind::Ranks: break;
    }
    if (choice.ranks.empty())
        return "none";
    std::string text = choice.ranks.size() == 1 ? "rank " : "ranks ";
    for (size_t index = 0; index < choice.ranks.size(); ++index)
        text += (index > 0 ? ", " : "") + std::to_string(choice.ranks[index]);
    return text;
}

} // namespace ringmaster::lesson
