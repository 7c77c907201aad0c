#include "engine/agent/WarmChoice.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/job/ContainerSpec.h"

#include <algorithm>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestProgram = 4U << 20U;

bool isPython(const Role& role)
{
    return role.kind == ProgramKind::Script || role.kind == ProgramKind::Module;
}

Result<void> checkRoles(const JobSpec& spec)
{
    if (spec.plain)
        return fail(code::ColdPlain);
    for (const Role& role : spec.roles) {
        if (const std::string& image = imageOf(spec, role); !image.empty())
            return fail(code::ColdInContainer, {{"image", image}});
        if (!isPython(role))
            return fail(code::ColdProgramKind, {{"program", role.program}});
    }
    return {};
}

Result<void> checkLaunches(const std::vector<WorkerLaunch>& launches)
{
    const auto through = std::ranges::find_if(launches, [](const WorkerLaunch& launch) {
        return launch.arguments.size() < 3 || launch.arguments[1] != "-u";
    });
    if (through != launches.end())
        return fail(code::ColdStartedThrough, {{"program", through->arguments.front()}});
    const auto other = std::ranges::find_if(launches, [&](const WorkerLaunch& launch) {
        return launch.arguments.front() != launches.front().arguments.front();
    });
    if (other != launches.end())
        return fail(code::ColdInterpretersDiffer);
    if (const std::string variable = differingVariable(launches); !variable.empty())
        return fail(code::ColdRanksDiffer, {{"variable", variable}});
    return {};
}

/// A fork has the starter's folder, not ours.
void nameFolders(std::vector<WorkerLaunch>& launches)
{
    std::error_code ignored;
    const std::string here = fs::current_path(ignored);
    for (WorkerLaunch& launch : launches) {
        if (launch.workingFolder.empty())
            launch.workingFolder = here;
        else if (!launch.workingFolder.starts_with('/'))
            launch.workingFolder = (fs::path(here) / launch.workingFolder).string();
    }
}

/// By its arguments: python -u FILE …, python -u -m NAME …
WarmProgram programOf(const WorkerLaunch& launch)
{
    const bool isModule = launch.arguments.size() > 3 && launch.arguments[2] == "-m";
    return {.isModule = isModule,
            .name = launch.arguments[isModule ? 3 : 2],
            .folder = launch.workingFolder};
}

/// Importing torch ahead is for programs that import it. A module's file isn't known, and a pipe
/// can be read only once, by the worker.
bool mentionsTorch(const WarmProgram& program)
{
    if (program.isModule)
        return true;
    const std::string text = startOfFile(fs::path(program.folder) / program.name, LongestProgram);
    return text.find("torch") != std::string::npos;
}

bool isSame(const WarmProgram& one, const WarmProgram& other)
{
    return one.isModule == other.isModule && one.name == other.name && one.folder == other.folder;
}

} // namespace

Result<WarmRequest> warmRequestOf(const JobSpec& spec, const AgentOptions& options,
                                  LaunchPlan& plan)
{
    if (!options.warm)
        return tl::unexpected(options.warm.error());
    if (plan.launches.empty())
        return fail(code::None);
    RM_TRY(checkRoles(spec));
    RM_TRY(checkLaunches(plan.launches));
    nameFolders(plan.launches);
    WarmRequest request{.settings = *options.warm,
                        .interpreter = plan.launches.front().arguments.front(),
                        .environment = plan.launches.front().environment,
                        .title = options.token};
    for (const WorkerLaunch& launch : plan.launches) {
        WarmProgram program = programOf(launch);
        const bool isKnown = std::ranges::any_of(
            request.programs, [&](const WarmProgram& known) { return isSame(known, program); });
        if (!isKnown)
            request.programs.push_back(std::move(program));
    }
    const auto silent = std::ranges::find_if_not(request.programs, mentionsTorch);
    if (spec.warm == WarmMode::Auto && spec.preload.empty() && silent != request.programs.end())
        return fail(code::ColdNoTorch, {{"program", silent->name}});
    return request;
}

} // namespace ringmaster
