#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/LoopbackAddresses.h"
#include "engine/store/Codes.h"
#include "engine/store/KeySpace.h"
#include "engine/store/StoreListener.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// Serves one store over TCP, in torch 2.11's own protocol, to torch's workers, torchrun's agents
/// and our own client. Lives on the thread of its loop; only execute() is for other threads. Never
/// resolves a name; bounds what a peer can make it hold; closes the connection of a peer that
/// breaks the protocol.
class StoreServer
{
public:
    struct Options
    {
        /// IP addresses, all on the same port (0: a free one).
        std::vector<std::string> addresses = loopbackAddresses();
        std::uint16_t port = 0;
        KeySpace::Limits limits{};
        KeySpace::WriteFilter writeFilter{};
        /// The loop serves nothing but this store, and so may stay with its sockets while they are
        /// busy: timers and tasks of others would be some milliseconds late.
        bool hasLoopForItself = false;
        /// IP addresses; empty: whoever reaches the port. Loopback is always let in.
        std::vector<std::string> allowedPeers{};
        std::size_t connections = 16384;
        std::size_t connectionsPerPeer = 8192;
        /// What all connections together may hold of requests and replies in transit.
        std::size_t bufferedBytes = 1U << 30U;
        /// To VALIDATE and send a first request. Afterwards a peer may be silent for ever.
        std::chrono::milliseconds handshakeTimeout = std::chrono::seconds(10);
        /// Without a byte of a request that has begun.
        std::chrono::milliseconds requestTimeout = std::chrono::seconds(60);
    };

    struct Counters
    {
        std::size_t connections = 0;
        std::size_t accepted = 0; ///< Ever.
        std::size_t refused = 0;  ///< Ever: turned away, or closed for what they sent.
        std::size_t keys = 0;
        std::size_t bytes = 0;         ///< Of keys and values.
        std::size_t bufferedBytes = 0; ///< Of requests and replies in transit.
    };

    /// code::StorePortBusy says who has the port.
    static Result<std::unique_ptr<StoreServer>> listen(EventLoop& loop, Options options);
    ~StoreServer();

    std::uint16_t port() const;
    Counters counters() const;

    /// Runs `task` on the server's thread with its keys, then answers whom that woke; any thread.
    /// Dropped when the server is gone by then.
    void execute(std::function<void(KeySpace&)> task);
    /// The same, once all of `keys` (as on the wire) are there, or with code::StoreKeyMissing.
    void executeOnceThere(std::vector<std::string> keys, std::chrono::milliseconds timeout,
                          std::function<void(KeySpace&, Result<void>)> task);

private:
    class Impl;
    explicit StoreServer(std::shared_ptr<Impl> impl);

    std::shared_ptr<Impl> m_impl;
};

} // namespace ringmaster
