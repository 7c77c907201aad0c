#pragma once

#include "engine/rendezvous/RendezvousOptions.h"
#include "engine/rendezvous/RoundExchange.h"
#include "engine/rendezvous/SharedState.h"
#include "engine/rendezvous/StateMachine.h"
#include "engine/rendezvous/WorkersStore.h"

#include <random>

namespace ringmaster {

/// torchrun's elastic rendezvous: the agents agree through one state in a store that one of them,
/// or anybody, serves at the endpoint. WorkersStore says where the workers of a round meet.
class C10dRendezvous : public Rendezvous
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
    enum class Goal { Idle, Open, Leave, Join, Close };

    Result<void> connect();
    void pursue(Goal goal);
    template <class T>
    Store::Callback<T> whilePursued(Store::Callback<T> done) const;
    void openState();
    void advance();
    void noteOthers(const RendezvousState& state);
    Move nextMove(const RendezvousState& state, StateTime now) const;
    void joinAtOnce(RendezvousState& next, StateTime now) const;
    void change(Move move, RendezvousState next, StateTime now);
    /// Before the decision is made anew that another agent was faster with.
    std::chrono::milliseconds writeBackoff();
    void readLater(std::chrono::milliseconds delay);
    void reachedGoal();
    void failJoin(Move move);
    void beginRound();
    void exchangeOffers(const RoundExchange::Master& master);
    void assignRanks(const RoundExchange::Master& master, const std::vector<NodeOffer>& offers);
    void finishRound(const RoundExchange::Master& master, const std::vector<NodeOffer>& offers);
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
    void closed();

    RendezvousOptions m_options;
    RendezvousEndpoint m_endpoint;
    const Environment m_environment;
    std::minstd_rand m_chance; ///< Of no two agents the same; in a simulation always the same.
    EventLoop& m_loop;
    Host& m_host;
    NodeDescription m_node;
    NodeOffer m_offer;
    Goal m_goal = Goal::Idle;
    std::uint64_t m_pursuit = 0; ///< Counts goals, and rounds that are watched.
    StateTime m_joinDeadline{};
    StateTime m_seenAt{}; ///< When the state came from the store.
    std::int64_t m_round = -1;
    std::map<NodeDescription, std::int64_t> m_participants; ///< of the round that this agent is in
    bool m_isJoined = false;                                ///< The host knows of the round.
    std::int64_t m_finished = 0; ///< Nodes of the round, as far as was seen; this one, too.
    std::int64_t m_givenUp = 0;  ///< The same of those that have ended the job.
    bool m_hasFinished = false;  ///< This one.
    bool m_toldOfChange = false;
    bool m_hasComeTooLate = false;
    bool m_canOthersGoOn = false; ///< Enough were there while this node waited.
    std::function<void(Result<void>)> m_barrier;
    std::function<void()> m_closed;

    std::unique_ptr<OpenStore> m_served; ///< The rendezvous store, where this agent hosts it.
    std::optional<Error> m_busy;         ///< Why it doesn't, though the endpoint is this machine.
    std::unique_ptr<Store> m_store;
    std::unique_ptr<SharedState> m_shared;
    std::unique_ptr<WorkersStore> m_workersStore;
    std::unique_ptr<RoundExchange> m_exchange;
    EventLoop::Registration m_timer;
    EventLoop::Registration m_watch;
    EventLoop::Registration m_closeTimer;
};

} // namespace ringmaster
