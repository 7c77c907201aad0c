#include "engine/rendezvous/RendezvousOptions.h"

#include "engine/base/Files.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/rendezvous/C10dRendezvous.h"
#include "engine/rendezvous/LocalRendezvous.h"
#include "engine/rendezvous/StaticRendezvous.h"

namespace ringmaster {

namespace {

LocalRendezvous::Options loneOptions(const RendezvousOptions& options)
{
    if (options.standalone) {
        return {.runId = options.settings.id,
                .masterAddress = "localhost",
                .masterPort = 0,
                .addresses = listenAddresses("localhost"),
                .useAgentStore = options.shareStore};
    }
    return {.runId = options.settings.id,
            .masterAddress = options.masterAddress,
            .masterPort = options.masterPort,
            .addresses = listenAddresses(options.masterAddress),
            .useAgentStore = true};
}

} // namespace

std::string randomRunId()
{
    const auto text = readFile("/proc/sys/kernel/random/uuid", 64);
    return text ? text->substr(0, 36) : randomToken(32);
}

Result<std::unique_ptr<Rendezvous>> makeRendezvous(RendezvousOptions options, EventLoop& loop,
                                                   Rendezvous::Host& host)
{
    constexpr int DefaultC10dPort = 29400;
    RM_TRY(applyConfiguration(options.configuration, options.settings));
    RM_TRY(hostingChoice(options.configuration));
    if (options.standalone) {
        return std::make_unique<LocalRendezvous>(loneOptions(options), loop, host);
    }
    if (options.method == RendezvousOptions::Method::C10d) {
        auto endpoint = RM_TRY(parseEndpoint(options.endpoint, DefaultC10dPort));
        return std::make_unique<C10dRendezvous>(std::move(options), std::move(endpoint), loop,
                                                host);
    }
    if (!options.endpoint.empty()) {
        auto endpoint = RM_TRY(parseEndpoint(options.endpoint, options.masterPort));
        options.masterAddress = std::move(endpoint.host);
        options.masterPort = endpoint.port;
    }
    if (options.settings.maxNodes == 1)
        return std::make_unique<LocalRendezvous>(loneOptions(options), loop, host);
    return std::make_unique<StaticRendezvous>(std::move(options), loop, host);
}

} // namespace ringmaster
