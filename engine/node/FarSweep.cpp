#include "engine/node/FarSweep.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/Paths.h"
#include "engine/job/Codes.h"
#include "engine/job/Sweep.h"
#include "engine/machine/Interpreters.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// The lead waits for the agent meanwhile.
constexpr auto SettlePatience = 1s;

constexpr const char* WhereTorchIs =
    "import importlib.util, os\n"
    "torch = importlib.util.find_spec('torch')\n"
    "print(os.path.join(os.path.dirname(torch.origin), 'lib') if torch else '', end='')";

/// The loader lists them without running it, which for libtorch would take seconds.
bool findsItsLibraries(const std::string& worker, EnvironmentMap environment)
{
    environment["LD_TRACE_LOADED_OBJECTS"] = "1";
    const auto listed = runBounded({worker}, environment, SettlePatience);
    return listed && listed->find("not found") == std::string::npos;
}

/// False: the worker doesn't start with it either.
bool findsTorchOf(const std::string& interpreter, Role& role, EnvironmentMap environment)
{
    const auto libraries =
        runBounded({interpreter, "-c", WhereTorchIs}, environment, SettlePatience);
    std::string& path = environment["LD_LIBRARY_PATH"];
    if (libraries && !libraries->empty())
        path = *libraries + (path.empty() ? "" : ":" + path);
    role.environment["LD_LIBRARY_PATH"] = path;
    return findsItsLibraries(role.program, environment);
}

} // namespace

Result<void> settleFarSweep(JobSpec& spec, const std::string& interpreter,
                            const EnvironmentMap& environment)
{
    if (!sweepOf(spec))
        return {};
    Role& role = spec.roles.front();
    role.program = sweepFacts(0).program.string();
    if (role.program.empty())
        return fail(code::SweepNotBuilt,
                    {{"path", (executableFolder() / "ringmaster-sweep").string()}});
    if (!findsItsLibraries(role.program, environment) &&
        !findsTorchOf(interpreter, role, environment))
        return fail(code::SweepWithoutTorch, {{"path", interpreter}});
    return {};
}

Result<void> settleSweep(JobSpec& spec, const EnvironmentMap& environment)
{
    if (!sweepOf(spec) || findsItsLibraries(spec.roles.front().program, environment))
        return {};
    const std::string interpreter = Interpreters(environment).active();
    if (!findsTorchOf(interpreter, spec.roles.front(), environment))
        return fail(code::SweepWithoutTorchHere, {{"path", interpreter}});
    return {};
}

} // namespace ringmaster
