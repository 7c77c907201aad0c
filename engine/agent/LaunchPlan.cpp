#include "engine/agent/LaunchPlan.h"

#include "engine/agent/Codes.h"
#include "engine/base/Environment.h"
#include "engine/container/ContainerMountPoints.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/ContainerSpec.h"
#include "engine/job/WorkerCommand.h"

#include <filesystem>

#include <unistd.h>

namespace ringmaster {
namespace {

PlacementFacts placementOf(const LaunchFacts& facts, const Worker& worker)
{
    const WorkerAssignment& assignment = worker.assignment;
    return {.globalRank = assignment.globalRank,
            .worldSize = facts.round.worldSize,
            .localRank = assignment.localRank,
            .localWorldSize = static_cast<int>(facts.group.workers().size()),
            .roleRank = assignment.roleRank,
            .roleWorldSize = assignment.roleWorldSize,
            .groupRank = facts.round.groupRank,
            .groupWorldSize = facts.round.groupWorldSize,
            .masterAddress = facts.round.masterAddress,
            .masterPort = facts.round.masterPort,
            .restartCount = facts.group.attempt().restartCount,
            .runId = facts.round.runId,
            .useAgentStore = facts.round.useAgentStore,
            .errorFile = worker.errorFile,
            .timerFile = facts.timerFile,
            .runToken = facts.options.token,
            .hookFolder = facts.options.hookFolder,
            .ringFolder = facts.options.ringFolder,
            .hook = facts.options.hook ? facts.options.hook(assignment.localRank) : std::string(),
            .ncclProfiler = facts.options.ncclProfiler};
}

bool pipesOutput(const AttemptOutput& output, int localRank)
{
    for (const AttemptOutput::Worker& worker : output.workers)
        if (worker.localRank == localRank)
            return worker.pipesOutput;
    return false;
}

std::string cpusOf(const AgentOptions& options, int localRank)
{
    const auto index = static_cast<std::size_t>(localRank);
    return index < options.cpus.size() ? options.cpus[index] : std::string();
}

/// Of the image, where it isn't said: what is active out here isn't in there.
constexpr const char* ImageInterpreter = "python3";

Result<ContainerFacts> containerOf(const LaunchFacts& facts, const Role& role, const Worker& worker)
{
    namespace fs = std::filesystem;
    const std::string& image = imageOf(facts.spec, role);
    const ContainerSpec& spec = facts.spec.container;
    auto [engine, program] = findContainerEngine(spec, facts.options.environment);
    if (engine.empty())
        return containerEngineMissing(spec, image);
    std::error_code ignored;
    ContainerFacts container{
        .engine = std::move(engine),
        .program = std::move(program),
        .image = image,
        .label = facts.options.token,
        .workingFolder = (fs::current_path(ignored) / role.workingFolder).lexically_normal(),
        .wantsGpus = role.devicesPerWorker > 0 || !role.devices.empty(),
        .user = ::geteuid(),
        .group = ::getegid()};
    while (container.workingFolder.size() > 1 && container.workingFolder.ends_with('/'))
        container.workingFolder.pop_back();
    // The hook's parts stand beside its start; the run's folder has what they report to.
    for (const std::string& folder :
         {fs::path(worker.errorFile).parent_path().string(),
          fs::path(facts.options.hookFolder).parent_path().string(), facts.options.ringFolder,
          facts.options.temporaryFolder.string()})
        if (!folder.empty())
            container.folders.push_back(folder);
    return container;
}

} // namespace

Result<LaunchPlan> planLaunches(const LaunchFacts& facts)
{
    LaunchPlan plan;
    std::size_t role = 0;
    int leftOfRole = facts.options.workers.empty() ? 0 : facts.options.workers.front();
    for (const Worker& worker : facts.group.workers()) {
        while (leftOfRole == 0)
            leftOfRole = facts.options.workers[++role];
        --leftOfRole;
        const Role& itsRole = facts.spec.roles[role];
        const int localRank = worker.assignment.localRank;
        PlacementFacts placement = placementOf(facts, worker);
        placement.outputToPipe = pipesOutput(facts.output, localRank);
        const WorkerEnvironment environment =
            RM_TRY(workerEnvironment(facts.spec, itsRole, placement, facts.options.environment));
        const EnvironmentMap variables = environment.variables();

        WorkerLaunch launch;
        launch.localRank = localRank;
        const bool isInContainer = !imageOf(facts.spec, itsRole).empty();
        launch.arguments = workerCommand(
            itsRole,
            {.localRank = localRank,
             .interpreter = isInContainer ? ImageInterpreter : facts.options.interpreter,
             .cpus = cpusOf(facts.options, localRank)},
            variables);
        if (isInContainer) {
            const ContainerFacts container = RM_TRY(containerOf(facts, itsRole, worker));
            makeMountPoints(facts.spec.container, container);
            launch.arguments =
                containerCommand(facts.spec.container, container, environment, launch.arguments);
        }
        launch.environment = environmentLines(variables);
        launch.workingFolder = itsRole.workingFolder;
        launch.ignoreHangup = facts.options.ignoreHangup;
        plan.launches.push_back(std::move(launch));
        plan.warnsAboutThreads |= environment.warnsAboutThreads;
    }
    return plan;
}

} // namespace ringmaster
