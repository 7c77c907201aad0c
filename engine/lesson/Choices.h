#pragma once

#include <string>
#include <vector>

namespace ringmaster::lesson {

/// One answer to choose. What is a word, the front says in its language.
struct Choice
{
    enum class Kind { Number, Ranks, Yes, No };
    Kind kind = Kind::Number;
    std::string number{};     ///< Number: as the program's value is written.
    std::vector<int> ranks{}; ///< Ranks: empty is none of them.
    bool operator==(const Choice&) const = default;
};

Choice numberChoice(std::string text);

/// `value` as a learner might have got it, written as the number `pattern` is.
std::string writtenLike(const std::string& pattern, double value);

/// Answers of which exactly one is right.
struct Choices
{
    std::vector<Choice> all{};
    size_t right = 0;
};

/// The right answer among as many others as there are, up to four in all, in an order that doesn't
/// give it away. Two texts of the same number are one answer.
Choices choicesWith(const Choice& right, const std::vector<Choice>& others);

/// In English, for the terminal: "6.0", "ranks 0 and 1", "none", "yes".
std::string describe(const Choice& choice);

} // namespace ringmaster::lesson
