#include "engine/rendezvous/RendezvousOptions.h"

#include "engine/base/Files.h"
#include "engine/rendezvous/LocalAddresses.h"
#include "engine/rendezvous/LoneRendezvous.h"

namespace ringmaster {

namespace {

/// A version 4 UUID, as torchrun's --standalone makes one.
std::string randomUuid()
{
    const auto text = readFile("/proc/sys/kernel/random/uuid", 64);
    return text ? text->substr(0, 36) : randomToken(32);
}

LoneRendezvous::Options loneOptions(const RendezvousOptions& options)
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

Result<std::unique_ptr<Rendezvous>> makeRendezvous(RendezvousOptions options, EventLoop& loop,
                                                   Rendezvous::Host& host)
{
    RM_TRY(applyConfiguration(options.configuration, options.settings));
    RM_TRY(hostingWish(options.configuration));
    if (options.standalone)
        options.settings.id = randomUuid();
    if (options.method == RendezvousOptions::Method::Static && !options.standalone) {
        const auto endpoint = RM_TRY(parseEndpoint(options.endpoint, options.masterPort));
        if (!options.endpoint.empty()) {
            options.masterAddress = endpoint.host;
            options.masterPort = endpoint.port;
        }
    }
    const bool alone = options.standalone || (options.method == RendezvousOptions::Method::Static &&
                                              options.settings.maxNodes == 1);
    if (alone)
        return std::make_unique<LoneRendezvous>(loneOptions(options), loop, host);
    return fail(Code::NotSupported, {{"what", "a rendezvous of several nodes"}});
}

} // namespace ringmaster
