#pragma once

#include "engine/base/Result.h"
#include "engine/rendezvous/Codes.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>

namespace ringmaster {

/// torchrun's --rdzv-conf with its defaults, and how many nodes take part.
struct RendezvousSettings
{
    std::string id{};
    int minNodes = 1;
    int maxNodes = 1;
    std::chrono::seconds joinTimeout{600};
    std::chrono::seconds lastCallTimeout{30};
    std::chrono::seconds closeTimeout{30};
    std::chrono::seconds keepAliveInterval{5};
    int keepAliveMaxAttempt = 3;
    std::chrono::seconds readTimeout{60};
    std::chrono::seconds staticTimeout{900};
    /// cas_backoff_max_seconds: the longest pause after a write that another agent was faster with.
    std::chrono::milliseconds longestWriteBackoff{0};
    std::chrono::milliseconds exitBarrier{300'000};
    std::chrono::seconds nodeTimeout{20}; ///< A lead: who is silent for so long is left out.
    std::chrono::seconds leadTimeout{60}; ///< An agent goes on so long without its lead.

    /// After this long without a heartbeat a node counts as gone.
    std::chrono::seconds deadAfter() const { return keepAliveInterval * keepAliveMaxAttempt; }
};

/// Reads --rdzv-conf's keys into `settings`; code::RendezvousConfigurationInvalid names a bad one.
/// Keys that other back ends or is_host use are left alone.
Result<void> applyConfiguration(const std::map<std::string, std::string>& configuration,
                                RendezvousSettings& settings);

/// is_host of --rdzv-conf: whether this agent has to host the rendezvous store, or must not;
/// nothing: find out.
Result<std::optional<bool>> hostingChoice(const std::map<std::string, std::string>& configuration);

struct RendezvousEndpoint
{
    std::string host{};
    int port = 0;
};

/// `host`, `host:port` or `[v6]:port` by torchrun's rules; empty gives localhost and `defaultPort`.
Result<RendezvousEndpoint> parseEndpoint(const std::string& text, int defaultPort);

} // namespace ringmaster
