#include "engine/node/RendezvousChoice.h"

namespace ringmaster {

Result<RendezvousOptions> rendezvousOf(const JobSpec& spec, const EnvironmentMap& environment)
{
    const RendezvousSpec& asked = spec.rendezvous;
    RendezvousOptions options{.method = asked.method == RendezvousMethod::Static
                                            ? RendezvousOptions::Method::Static
                                            : RendezvousOptions::Method::C10d,
                              .standalone = spec.isStandalone(),
                              .configuration = asked.configuration,
                              .endpoint = asked.endpoint,
                              .nodeRank = asked.nodeRank,
                              .masterAddress = asked.masterAddress,
                              .masterPort = asked.port(),
                              .localAddress = asked.localAddress};
    options.settings.id = asked.id;
    options.settings.minNodes = spec.nodes.min;
    options.settings.maxNodes = spec.nodes.max;
    options.settings.exitBarrier = spec.restart.exitBarrier;
    const auto unshared = environment.find("TORCH_DISABLE_SHARE_RDZV_TCP_STORE");
    options.shareStore = unshared == environment.end() || unshared->second != "1";
    RM_TRY(applyConfiguration(asked.configuration, options.settings));
    return options;
}

} // namespace ringmaster
