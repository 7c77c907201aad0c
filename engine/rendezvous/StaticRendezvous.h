#pragma once

#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/rendezvous/RoundExchange.h"
#include "engine/store/StoreThread.h"
#include "engine/store/TcpStoreClient.h"

namespace ringmaster {

/// torchrun's default for several nodes: node 0 serves one store at a known place, everybody knows
/// its own rank, and all nodes have to be there. The same store for agents and workers, in every
/// round.
class StaticRendezvous : public Rendezvous
{
public:
    /// The store that node 0 serves.
    class ServedStore
    {
    public:
        virtual ~ServedStore() = default;
        /// How many clients have said that they are there. `counted` is called on the loop, but not
        /// once this object is gone.
        virtual void countClients(std::function<void(int)> counted) = 0;
    };

    /// What it knows the world by.
    struct Environment
    {
        static Environment real();

        std::function<std::chrono::steady_clock::time_point()> now;
        std::function<Result<std::unique_ptr<ServedStore>>(EventLoop& loop,
                                                           StoreServer::Options options)>
            serve;
        /// `connected` once a store has answered, or none has in time.
        std::function<std::unique_ptr<Store>(EventLoop& loop, TcpStoreClient::Options options,
                                             Store::Callback<void> connected)>
            connect;
    };

    StaticRendezvous(RendezvousOptions options, EventLoop& loop, Host& host,
                     Environment environment = Environment::real());
    ~StaticRendezvous() override;

    void join(const NodeOffer& offer) override;
    void enterExitBarrier(std::function<void(Result<void>)> done) override;
    void close(std::function<void()> done) override;

private:
    Result<void> serve();
    void start();
    void waitForNodes();
    void countNodes(int present);
    void exchange();
    void finishRound(const std::vector<NodeOffer>& offers);

    RendezvousOptions m_options;
    const Environment m_environment;
    EventLoop& m_loop;
    Host& m_host;
    NodeOffer m_offer;
    std::uint64_t m_nextRound = 0;
    std::chrono::steady_clock::time_point m_deadline{};
    std::unique_ptr<ServedStore> m_served; ///< Node 0 only.
    std::unique_ptr<Store> m_store;
    std::unique_ptr<RoundExchange> m_exchange;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
