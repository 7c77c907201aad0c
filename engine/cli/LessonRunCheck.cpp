#include "engine/cli/LessonRunCheck.h"

#include "engine/cli/Codes.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/ProgramSyntax.h"
#include "engine/lesson/Questions.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Where a line begins with `start` for the nth time, from 0 on; the first line: nowhere.
int lineThatBegins(const std::string& text, std::string_view start, size_t nth)
{
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const size_t word = std::min(text.find_first_not_of(" \t", at), end);
        if (std::string_view(text).substr(word).starts_with(start) && nth-- == 0)
            return lesson::lineAt(text, at);
        at = end + 1;
    }
    return 1;
}

Finding lessonFinding(Code code, Parameters parameters, std::string field, int line)
{
    return {
        Finding::Severity::Error, {code, std::move(parameters), {}}, {std::move(field), line, 1}};
}

} // namespace

std::vector<Finding> problemsOfRun(const lesson::Pack& pack, const std::string& packText,
                                   const lesson::Recording& recording)
{
    std::vector<Finding> findings;
    const auto outcome = lesson::outcomeOf(recording);
    if (outcome != std::optional(pack.expect))
        findings.push_back(
            lessonFinding(code::LessonOutcomeDiffers,
                          {{"outcome", std::string(outcome ? lesson::nameOf(*outcome) : "no end")},
                           {"expect", std::string(lesson::nameOf(pack.expect))}},
                          "expect", lineThatBegins(packText, "expect", 0)));
    for (size_t index = 0; index < pack.questions.size(); ++index) {
        const auto asked = lesson::ask(pack.questions[index], recording);
        if (asked || asked.error().code == code::QuestionNeedsGate)
            continue;
        findings.push_back(lessonFinding(asked.error().code, asked.error().parameters,
                                         "question." + std::to_string(index),
                                         lineThatBegins(packText, "[[question]]", index)));
    }
    return findings;
}

} // namespace ringmaster
