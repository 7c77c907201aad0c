#include "engine/job/WorkerCommand.h"

#include "engine/job/ContainerSpec.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/machine/SystemInfo.h"
#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// torchrun runs the file by runpy in a child of multiprocessing: @record around it, no standard
/// input, the program's folder not in sys.path.
constexpr const char* RunPathProgram = R"(import os, runpy, sys
sys.argv = sys.argv[1:]
sys.stdin = open(os.devnull)
try:
    from torch.distributed.elastic.multiprocessing.errors import record
except ImportError:
    record = lambda function: function
def run_script_path(path):
    runpy.run_path(path, run_name="__main__")
record(run_script_path)(sys.argv[0]))";

std::optional<std::string> pythonExec(const EnvironmentMap& environment)
{
    const auto found = environment.find("PYTHON_EXEC");
    return found == environment.end() ? std::nullopt : std::optional(found->second);
}

std::string interpreterOf(const Role& role, const CommandFacts& facts,
                          const EnvironmentMap& environment)
{
    if (!role.interpreter.empty())
        return role.interpreter;
    return pythonExec(environment).value_or(facts.interpreter);
}

std::string substituted(const std::string& argument, int localRank)
{
    return substituteTemplate(argument, [&](std::string_view name) {
        return name == "local_rank" ? std::optional(std::to_string(localRank)) : std::nullopt;
    });
}

} // namespace

std::vector<std::string> workerCommand(const Role& role, const CommandFacts& facts,
                                       const EnvironmentMap& environment)
{
    std::vector<std::string> words;
    if (!facts.cpus.empty())
        words = {"numactl", "--physcpubind=" + facts.cpus};
    if (role.nice != 0)
        words.insert(words.end(), {"nice", "-n", std::to_string(role.nice)});
    const std::string program = substituted(role.program, facts.localRank);
    const std::string interpreter = interpreterOf(role, facts, environment);
    switch (role.kind) {
    case ProgramKind::Script: words.insert(words.end(), {interpreter, "-u", program}); break;
    case ProgramKind::Module: words.insert(words.end(), {interpreter, "-u", "-m", program}); break;
    // torchrun starts the program itself here, as it was typed.
    case ProgramKind::Command: words.push_back(role.program); break;
    case ProgramKind::RunPath:
        words.insert(words.end(), {interpreter, "-u", "-c", RunPathProgram, program});
        break;
    }
    for (const std::string& argument : role.arguments)
        words.push_back(substituted(argument, facts.localRank));
    return words;
}

std::string interpreterFor(const JobSpec& spec, const SystemInfo& systemInfo)
{
    const bool isNeeded = std::ranges::any_of(spec.roles, [&](const Role& role) {
        return role.kind != ProgramKind::Command && role.interpreter.empty() &&
               imageOf(spec, role).empty();
    });
    return isNeeded && !systemInfo.variable("PYTHON_EXEC") ? systemInfo.activeInterpreter() : "";
}

std::string entryPointName(const Role& role, const EnvironmentMap& environment)
{
    if (role.kind == ProgramKind::RunPath)
        return "run_script_path";
    const auto exec = pythonExec(environment);
    if (role.kind != ProgramKind::Command && exec && role.interpreter.empty())
        return *exec;
    return role.program;
}

std::string logLinePrefix(const std::string& roleName, int localRank, int globalRank,
                          const std::optional<std::string>& lineTemplate)
{
    if (!lineTemplate || lineTemplate->empty())
        return "[" + roleName + std::to_string(localRank) + "]:";
    return substituteTemplate(*lineTemplate,
                              [&](std::string_view name) -> std::optional<std::string> {
                                  if (name == "role_name")
                                      return roleName;
                                  if (name == "local_rank")
                                      return std::to_string(localRank);
                                  if (name == "rank")
                                      return std::to_string(globalRank);
                                  if (name == "hostname")
                                      return shortHostName();
                                  return std::nullopt;
                              });
}

} // namespace ringmaster
