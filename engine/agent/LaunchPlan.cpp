#include "engine/agent/LaunchPlan.h"

#include "engine/job/WorkerCommand.h"

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

std::vector<std::string> asLines(const EnvironmentMap& variables)
{
    std::vector<std::string> lines;
    for (const auto& [name, value] : variables)
        lines.push_back(name + "=" + value);
    return lines;
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
        launch.arguments = workerCommand(itsRole,
                                         {.localRank = localRank,
                                          .interpreter = facts.options.interpreter,
                                          .cpus = cpusOf(facts.options, localRank)},
                                         variables);
        launch.environment = asLines(variables);
        launch.workingFolder = itsRole.workingFolder;
        launch.ignoreHangup = facts.options.ignoreHangup;
        plan.launches.push_back(std::move(launch));
        plan.warnsAboutThreads |= environment.warnsAboutThreads;
    }
    return plan;
}

} // namespace ringmaster
