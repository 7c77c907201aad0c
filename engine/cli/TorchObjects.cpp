#include "engine/cli/TorchObjects.h"

#include "engine/base/BoundedRun.h"
#include "engine/cli/Json.h"
#include "engine/worker/hook/StartHook.h"

#include <chrono>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

std::string textIn(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

DoctorFinding findingOf(const Json& told)
{
    const std::string state = textIn(told, "state");
    const std::string text = textIn(told, "text");
    DoctorFinding finding{.grade = Grade::Good,
                          .subject = textIn(told, "kind"),
                          .text = "for torch " + textIn(told, "torch") + ": "};
    if (state == "shipped" || state == "cached") {
        finding.text += text;
        return finding;
    }
    finding.grade = Grade::Warning;
    if (state == "compiling") {
        finding.text += "is being compiled";
    } else {
        finding.text += text.empty() ? "not there" : "not there: " + text;
        finding.remedy = "`ringmaster doctor --build` compiles it, where there is a compiler.";
    }
    return finding;
}

} // namespace

std::vector<DoctorFinding> torchObjects(const Interpreter& interpreter, MissingObjects missing)
{
    const auto start = hookStartFolder();
    if (!start || interpreter.torchVersion.empty())
        return {};
    const std::string script = (start->parent_path() / "parts/_ringmaster_objects.py").string();
    const bool builds = missing == MissingObjects::Build;
    EnvironmentMap environment = currentEnvironment();
    environment["PYTHONDONTWRITEBYTECODE"] = "1";
    const auto told = runBounded({interpreter.path, script, builds ? "build" : "show"}, environment,
                                 builds ? 60min : 30s);
    std::vector<DoctorFinding> findings;
    for (size_t at = 0; told && at < told->size();) {
        const size_t end = std::min(told->find('\n', at), told->size());
        const Json line = Json::parse(told->substr(at, end - at), nullptr, false);
        if (line.is_object())
            findings.push_back(findingOf(line));
        at = end + 1;
    }
    return findings;
}

} // namespace ringmaster
