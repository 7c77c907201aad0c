#include "engine/node/JobRendezvous.h"

namespace ringmaster {

RendezvousOptions rendezvousOptionsOf(const JobSpec& job,
                                      const std::map<std::string, std::string>& environment)
{
    const RendezvousSpec& wanted = job.rendezvous;
    const auto unshared = environment.find("TORCH_DISABLE_SHARE_RDZV_TCP_STORE");
    RendezvousOptions options;
    switch (wanted.method) {
    case RendezvousMethod::Static: options.method = RendezvousOptions::Method::Static; break;
    case RendezvousMethod::C10d: options.method = RendezvousOptions::Method::C10d; break;
    }
    options.standalone = wanted.standalone;
    options.settings.id = wanted.standalone ? randomRunId() : wanted.id;
    options.settings.minNodes = job.nodes.min;
    options.settings.maxNodes = job.nodes.max;
    options.settings.exitBarrier = job.restart.exitBarrier;
    options.configuration = wanted.configuration;
    options.endpoint = wanted.endpoint;
    options.nodeRank = wanted.nodeRank;
    options.masterAddress = wanted.masterAddress;
    options.masterPort = wanted.masterPort;
    options.localAddress = wanted.localAddress;
    options.shareStore = unshared == environment.end() || unshared->second != "1";
    return options;
}

} // namespace ringmaster
