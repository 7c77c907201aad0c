#pragma once

#include "engine/rendezvous/Rendezvous.h"
#include "engine/store/StoreThread.h"

namespace ringmaster {

/// The rendezvous of a job that has one node and knows it: nobody to wait for, a fresh store each
/// round.
class LocalRendezvous : public Rendezvous
{
public:
    struct Options
    {
        std::string runId{};
        std::string masterAddress{};
        int masterPort = 0;                   ///< 0: a free one each round.
        std::vector<std::string> addresses{}; ///< To listen on.
        /// False: the first worker hosts the store on a port that is free now.
        bool useAgentStore = true;
        OpenStoreFactory openStore = StoreThread::start;
    };

    LocalRendezvous(Options options, EventLoop& loop, Host& host);

    ~LocalRendezvous() override;

    void join(const NodeOffer& offer) override;
    void enterExitBarrier(std::function<void(Result<void>)> done) override;
    void close(std::function<void()> done) override;

private:
    Result<Round> nextRound(const NodeOffer& offer);

    Options m_options;
    EventLoop& m_loop;
    Host& m_host;
    std::uint64_t m_nextRound = 0;
    std::unique_ptr<OpenStore> m_store;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
