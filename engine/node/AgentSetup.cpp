#include "engine/node/AgentSetup.h"

#include "engine/job/WorkerCommand.h"
#include "engine/job/WorkerCounts.h"
#include "engine/machine/MachineCounts.h"
#include "engine/machine/WorkerCpus.h"
#include "engine/node/HostName.h"
#include "engine/record/RunFolder.h"
#include "engine/worker/hook/StartHook.h"
#include "engine/worker/warm/LearntModules.h"

namespace ringmaster {

Result<AgentOptions> agentOptionsOf(const NodeOptions& options, const RunFolder& folder)
{
    const JobSpec& spec = options.spec;
    AgentOptions told{.hostName = hostNameSoon(),
                      .interpreter = options.interpreter,
                      .torchVersion = options.torchVersion,
                      .token = spec.plain ? "" : folder.id(),
                      .temporaryFolder = folder.path(),
                      .ringFolder = ringFolder().value_or("").string(),
                      .warm = options.warm,
                      .ignoreHangup = options.ignoreHangup,
                      .isLed = options.order.has_value(),
                      .environment = options.environment};
    const MachineCounts machine = countMachine(options.environment);
    if (machine.gpus > 0)
        told.ncclProfiler = ncclProfiler().value_or("").string();
    int workers = 0;
    for (const Role& role : spec.roles) {
        told.workers.push_back(RM_TRY(resolveWorkers(role.workers, machine)));
        workers += told.workers.back();
    }
    if (!spec.numaBinding.empty())
        told.cpus = RM_TRY(workerCpus(spec.numaBinding, workers, options.environment));
    return told;
}

std::filesystem::path learntModulesOf(const NodeOptions& options)
{
    const Role& role = options.spec.roles.front();
    const bool isPython = role.kind == ProgramKind::Script || role.kind == ProgramKind::Module;
    if (!isPython || options.spec.warm == WarmMode::Off)
        return {};
    const auto command =
        workerCommand(role, {.interpreter = options.interpreter}, options.environment);
    return learntModulesFile(starterMemory(), command.front());
}

} // namespace ringmaster
