#include "engine/lesson/ProgramSyntax.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/Environment.h"
#include "engine/lesson/Codes.h"

#include <algorithm>
#include <chrono>

namespace ringmaster::lesson {

namespace {

using namespace std::chrono_literals;

/// The kernel takes no longer texts.
constexpr size_t LargestInEnvironment = 100'000;

/// Of a line of the program in the lesson's file; 0: it stands in a file of its own, or isn't
/// written there as it is.
int lineInPack(const Pack& pack, const std::string& packText, int line)
{
    const size_t at = pack.source.empty() ? std::string::npos : packText.find(pack.source);
    return at == std::string::npos || line < 1 ? 0 : lineAt(packText, at) + line - 1;
}

} // namespace

int lineAt(const std::string& text, size_t at)
{
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

std::vector<Finding> problemsOfProgram(const Pack& pack, const std::string& packText,
                                       const std::string& interpreter)
{
    constexpr const char* Compiles =
        "import os, sys\n"
        "try:\n"
        "    compile(os.environ['RINGMASTER_PROGRAM'], 'program', 'exec', dont_inherit=True)\n"
        "except SyntaxError as error:\n"
        "    print(error.lineno or 0, error.msg)\n";
    if (interpreter.empty() || pack.source.size() >= LargestInEnvironment)
        return {};
    EnvironmentMap environment = currentEnvironment();
    environment["RINGMASTER_PROGRAM"] = pack.source;
    const auto said = runBounded({interpreter, "-I", "-c", Compiles}, environment, 10s);
    if (!said || said->find(' ') == std::string::npos)
        return {};
    const size_t space = said->find(' ');
    return {{Finding::Severity::Error,
             {code::PackProgramSyntax,
              {{"line", said->substr(0, space)},
               {"reason", said->substr(space + 1, said->find('\n') - space - 1)}},
              {}},
             {"source", lineInPack(pack, packText, std::atoi(said->c_str())), 1}}};
}

} // namespace ringmaster::lesson
