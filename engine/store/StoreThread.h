#pragma once

#include "engine/store/LocalStore.h"
#include "engine/store/OpenStore.h"
#include "engine/store/StoreServer.h"

#include <functional>
#include <memory>
#include <thread>

namespace ringmaster {

/// A StoreServer with its loop on a thread of its own ("rm-store"), so that neither the agent's
/// work nor a burst of clients delays the other. Any thread; destroying it ends the service at
/// once.
class StoreThread : public OpenStore
{
public:
    static Result<std::unique_ptr<StoreThread>> start(StoreServer::Options options);
    ~StoreThread() override;
    StoreThread(const StoreThread&) = delete;
    StoreThread& operator=(const StoreThread&) = delete;

    std::uint16_t port() const override { return m_server->port(); }

    /// The same store without a socket, with callbacks on `loop`. Destroyed before this.
    std::unique_ptr<Store> localStore(EventLoop& loop);

    StoreServer& server() { return *m_server; }

private:
    StoreThread() = default;

    EventLoop m_loop;
    std::unique_ptr<StoreServer> m_server;
    std::thread m_thread;
};

/// How a rendezvous makes the store of a round.
using OpenStoreFactory = std::function<Result<std::unique_ptr<OpenStore>>(StoreServer::Options)>;

} // namespace ringmaster
