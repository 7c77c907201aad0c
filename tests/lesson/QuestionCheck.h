#pragma once

#include "engine/lesson/Questions.h"

#include <cstdlib>
#include <optional>
#include <string>

/// Whether a question that was put to a recording has exactly one right answer.
namespace ringmaster::test {

/// The value as the steps themselves tell it, without the state that Questions looks at: the last
/// word on the variable by that rank until the answer is shown.
inline std::optional<std::string> toldValue(const lesson::Question& question,
                                            const lesson::Asked& asked,
                                            const lesson::Recording& recording)
{
    std::optional<std::string> told;
    const auto element = static_cast<size_t>(question.element);
    for (size_t index = 0; index <= asked.answeredAt; ++index) {
        const LessonStep& step = recording.step(index);
        if (step.globalRank != asked.rank ||
            step.attempt != recording.step(asked.answeredAt).attempt)
            continue;
        for (const LessonValue& value : step.values)
            if (value.name == question.variable && element < value.elements.size())
                told = value.elements[element];
    }
    return told;
}

inline bool isSameNumber(const std::string& one, const std::string& other)
{
    return std::strtod(one.c_str(), nullptr) == std::strtod(other.c_str(), nullptr);
}

/// What is wrong with it; empty: nothing.
inline std::string problemOf(const lesson::Question& question, const lesson::Asked& asked,
                             const lesson::Recording& recording)
{
    using Kind = lesson::Choice::Kind;
    if (asked.right >= asked.choices.size() || asked.choices.size() < 2)
        return "no choice";
    const lesson::Choice& right = asked.choices[asked.right];
    for (size_t choice = 0; choice < asked.choices.size(); ++choice) {
        const lesson::Choice& other = asked.choices[choice];
        const bool isSame =
            right.kind == Kind::Number ? isSameNumber(right.number, other.number) : right == other;
        if (isSame != (choice == asked.right))
            return "two right answers: " + lesson::describe(other);
    }
    if (question.kind == lesson::Question::Kind::Value) {
        const auto told = toldValue(question, asked, recording);
        if (told && !isSameNumber(*told, right.number))
            return "the steps say " + *told + " and not " + right.number;
    }
    return asked.answeredAt < asked.askedAt ? "answered before it is asked" : "";
}

} // namespace ringmaster::test
