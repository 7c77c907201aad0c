#pragma once

#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/rendezvous/RoundExchange.h"
#include "engine/store/StoreThread.h"

namespace ringmaster {

class TcpStoreClient;

/// torchrun's default for several nodes: node 0 serves one store at a known place, everybody knows
/// its own rank, and all nodes have to be there. The same store for agents and workers, in every
/// round.
class StaticRendezvous : public Rendezvous
{
public:
    StaticRendezvous(RendezvousOptions options, EventLoop& loop, Host& host);
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
    EventLoop& m_loop;
    Host& m_host;
    NodeOffer m_offer;
    std::uint64_t m_nextRound = 0;
    std::chrono::steady_clock::time_point m_deadline{};
    std::unique_ptr<StoreThread> m_served; ///< Node 0 only.
    std::unique_ptr<TcpStoreClient> m_store;
    std::unique_ptr<RoundExchange> m_exchange;
    EventLoop::Registration m_timer;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
