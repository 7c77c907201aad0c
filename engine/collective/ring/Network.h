#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/collective/ring/KeyValue.h"
#include "engine/collective/ring/Mac.h"

#include <chrono>
#include <vector>

namespace ringmaster::ring {

/// What a connection between two ranks of different hosts is for.
enum class Purpose : std::uint32_t { Collectives, Messages };

struct NetworkPeer
{
    int rank = -1;
    FileDescriptor collectives{};
    FileDescriptor messages{};
};

struct NetworkPlace
{
    int rank = 0;
    std::vector<int> peers{}; ///< The ranks on other hosts.
    std::string interface {
    }; ///< A name or an address; the first that isn't loopback if empty.
    Secret secret{};
    /// Somebody who connects and says nothing must not keep the others waiting for long.
    std::chrono::milliseconds handshakeTime = std::chrono::seconds(2);
};

/// Connects to every rank on another host. Both sides prove that they know the secret before
/// anything else is believed; the listener is closed when all are there.
Result<std::vector<NetworkPeer>> meetNetworkPeers(KeyValue& store, const NetworkPlace& place,
                                                  Deadline deadline);

} // namespace ringmaster::ring
