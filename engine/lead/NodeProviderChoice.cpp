#include "engine/lead/NodeProviderChoice.h"

#include "engine/hosts/NamedHosts.h"
#include "engine/slurm/SlurmNodes.h"

namespace ringmaster {

std::unique_ptr<NodeProvider> makeNodeProvider(const LeadOptions& options, EventLoop& loop)
{
    if (options.node.spec.runOn == RunOn::Slurm)
        return std::make_unique<SlurmNodes>(loop, options.node.workingFolder);
    return std::make_unique<NamedHosts>(loop, options.hosts, options.ssh,
                                        options.node.workingFolder);
}

} // namespace ringmaster
