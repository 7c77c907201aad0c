#include "engine/cli/LessonCheck.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/Environment.h"
#include "engine/cli/Codes.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Questions.h"
#include "engine/machine/RealSystemInfo.h"

#include <algorithm>
#include <chrono>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

using namespace std::chrono_literals;

/// The kernel takes no longer texts.
constexpr size_t LargestInEnvironment = 100'000;

int lineAt(const std::string& text, size_t at)
{
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

/// Of a line of the program in the lesson's file; 0: it stands in a file of its own, or isn't
/// written there as it is.
int lineOfProgram(const lesson::Pack& pack, const std::string& packText, int line)
{
    const size_t at = pack.source.empty() ? std::string::npos : packText.find(pack.source);
    return at == std::string::npos || line < 1 ? 0 : lineAt(packText, at) + line - 1;
}

/// Where a line begins with `start` for the nth time, from 0 on; the first line: nowhere.
int lineThatBegins(const std::string& text, std::string_view start, size_t nth)
{
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const size_t word = std::min(text.find_first_not_of(" \t", at), end);
        if (std::string_view(text).substr(word).starts_with(start) && nth-- == 0)
            return lineAt(text, at);
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

std::vector<Finding> problemsOfProgram(const lesson::Pack& pack, const std::string& packText)
{
    constexpr const char* Compiles =
        "import os, sys\n"
        "try:\n"
        "    compile(os.environ['RINGMASTER_PROGRAM'], 'program', 'exec', dont_inherit=True)\n"
        "except SyntaxError as error:\n"
        "    print(error.lineno or 0, error.msg)\n";
    std::error_code error;
    EnvironmentMap environment = currentEnvironment();
    const RealSystemInfo here(environment, fs::current_path(error));
    environment["RINGMASTER_PROGRAM"] = pack.source;
    const std::string interpreter = here.activeInterpreter();
    if (interpreter.empty() || pack.source.size() >= LargestInEnvironment)
        return {};
    const auto said = runBounded({interpreter, "-I", "-c", Compiles}, environment, 10s);
    if (!said || said->find(' ') == std::string::npos)
        return {};
    const size_t space = said->find(' ');
    return {{Finding::Severity::Error,
             {code::PackProgramSyntax,
              {{"line", said->substr(0, space)},
               {"reason", said->substr(space + 1, said->find('\n') - space - 1)}},
              {}},
             {"source", lineOfProgram(pack, packText, std::atoi(said->c_str())), 1}}};
}

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
