#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/collective/ring/KeyValue.h"
#include "engine/collective/ring/Mac.h"

#include <array>
#include <chrono>
#include <vector>

namespace ringmaster::ring {

/// What a connection between two ranks of different hosts is for, as one of them sees it. The
/// kernel asks whether the other side is still there (SO_KEEPALIVE) only while this side has
/// nothing to send. So who receives for collectives sends nothing there, and notices a loss.
enum class Purpose : std::uint32_t { CollectivesOut, CollectivesIn, Messages };

inline constexpr std::array Purposes{Purpose::CollectivesOut, Purpose::CollectivesIn,
                                     Purpose::Messages};

struct NetworkPeer
{
    int rank = -1;
    std::array<FileDescriptor, Purposes.size()> connections{}; ///< In the order of Purposes.

    FileDescriptor& connection(Purpose purpose)
    {
        return connections[static_cast<size_t>(purpose)];
    }
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
