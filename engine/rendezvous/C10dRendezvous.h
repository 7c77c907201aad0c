#pragma once

#include "engine/rendezvous/JoinedRound.h"
#include "engine/rendezvous/RendezvousOpExecutor.h"
#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/rendezvous/RoundOpening.h"
#include "engine/rendezvous/SharedState.h"

namespace ringmaster {

/// torchrun's elastic rendezvous: the agents agree through one state in a store that one of them,
/// or anybody, serves at the endpoint. WorkersStore says where the workers of a round meet.
class C10dRendezvous : public Rendezvous, private RendezvousOpExecutor::Listener
{
public:
    /// What it knows the world by.
    struct Environment
    {
        static Environment real();

        std::int64_t pid;
        std::function<StateTime()> now;
        OpenStoreFactory openStore;
        ConnectStore connect;
    };

    C10dRendezvous(RendezvousOptions options, RendezvousEndpoint endpoint, EventLoop& loop,
                   Host& host, Environment environment = Environment::real());
    ~C10dRendezvous() override;

    void join(const NodeOffer& offer) override;
    void enterExitBarrier(std::function<void(Result<void>)> done) override;
    void close(std::function<void()> done) override;

private:
    Result<void> connect();
    template <class T>
    Store::Callback<T> whilePursued(Store::Callback<T> done) const;
    void openState();
    void joinState();
    void cancel();
    void stateJoined() override;
    void joinRefused(Move why) override;
    void stateClosed() override;
    void stateLost(const Error& error) override { failed(error); }
    void roundOpened(Round round);
    void watch();
    void stateSeen();
    void keepAlive();
    void countEnds();
    void lookAround();
    bool haveOthersFinished() const;
    void beginAnew();
    void storeLost(const Error& error);
    void tellMembershipChanged(const Message& what);
    void failed(const Error& error);
    void endBarrier(const Result<void>& result);

    RendezvousOptions m_options;
    RendezvousEndpoint m_endpoint;
    const Environment m_environment;
    EventLoop& m_loop;
    Host& m_host;
    NodeDescription m_node;
    NodeOffer m_offer;
    std::uint64_t m_pursuit = 0; ///< Counts: late answers have no say in what follows.
    StateTime m_joinDeadline{};
    StateTime m_seenAt{}; ///< When the state came from the store.
    JoinedRound m_round;
    bool m_isJoined = false;     ///< The host knows of the round.
    std::int64_t m_finished = 0; ///< Nodes of the round, as far as was seen; this one, too.
    std::int64_t m_givenUp = 0;  ///< The same of those that have ended the job.
    bool m_hasFinished = false;  ///< This one.
    bool m_toldOfChange = false;
    bool m_hasComeTooLate = false;
    std::function<void(Result<void>)> m_barrier;
    std::function<void()> m_closed;

    std::unique_ptr<OpenStore> m_served; ///< The rendezvous store, where this agent hosts it.
    std::optional<Error> m_busy;         ///< Why it doesn't, though the endpoint is this machine.
    std::unique_ptr<Store> m_store;
    std::unique_ptr<SharedState> m_shared;
    std::unique_ptr<RendezvousOpExecutor> m_executor; ///< Null: not connected.
    std::unique_ptr<WorkersStore> m_workersStore;
    std::unique_ptr<RoundExchange> m_exchange;
    std::unique_ptr<RoundOpening> m_opening;
    EventLoop::Registration m_connecting;
    EventLoop::Registration m_watch;
    EventLoop::Registration m_closeTimer;
};

} // namespace ringmaster
