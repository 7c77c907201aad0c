#pragma once

#include "engine/base/EventLoop.h"
#include "engine/rendezvous/SharedState.h"
#include "engine/rendezvous/StateMachine.h"

#include <chrono>
#include <functional>
#include <random>

namespace ringmaster {

/// Brings one node to where it wants to be in the state that all agents share: out of its round and
/// into the next, or the state closed. Changes it step by step, as torch's executor of the same
/// name does; where another agent was faster, it decides anew. Lives on the store's loop.
class RendezvousOpExecutor
{
public:
    /// Called on the loop, as the last thing of a step.
    class Listener
    {
    public:
        virtual ~Listener() = default;
        /// The node is a participant of the state's round, which is complete.
        virtual void stateJoined() = 0;
        /// FailClosed or FailTimedOut.
        virtual void joinRefused(Move why) = 0;
        virtual void stateClosed() = 0;
        virtual void stateLost(const Error& error) = 0;
    };

    struct Setting
    {
        NodeDescription node{};
        RendezvousSettings settings{};
        std::function<StateTime()> now{};
    };

    RendezvousOpExecutor(EventLoop& loop, SharedState& shared, Listener& listener, Setting setting);

    /// Whatever was under way is forgotten.
    void join(StateTime deadline);
    void close();
    void cancel();

    /// While it joined, enough others were there for a round without it.
    bool canOthersGoOn() const { return m_canOthersGoOn; }
    /// For another try to join.
    void forgetOthers() { m_canOthersGoOn = false; }

private:
    enum class Goal { Idle, Leave, Join, Close };

    void pursue(Goal goal);
    template <class T>
    Store::Callback<T> whilePursued(Store::Callback<T> done) const;
    void advance();
    void noteOthers(const RendezvousState& state);
    Move nextMove(const RendezvousState& state, StateTime now) const;
    void joinAtOnce(RendezvousState& next, StateTime now) const;
    void change(Move move, RendezvousState next, StateTime now);
    /// Before the decision is made anew that another agent was faster with.
    std::chrono::milliseconds writeBackoff();
    void readLater(std::chrono::milliseconds delay);
    void reachedGoal();
    void lost(const Error& error);

    EventLoop& m_loop;
    SharedState& m_shared;
    Listener& m_listener;
    const Setting m_setting;
    std::minstd_rand m_chance; ///< Of no two agents the same; in a simulation always the same.
    Goal m_goal = Goal::Idle;
    std::uint64_t m_pursuit = 0; ///< Counts goals.
    StateTime m_joinDeadline{};
    bool m_canOthersGoOn = false;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
