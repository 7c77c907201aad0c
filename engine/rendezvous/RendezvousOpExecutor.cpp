#include "engine/rendezvous/RendezvousOpExecutor.h"

#include <set>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Others can change the state without telling us; torchrun's agents look once a second.
constexpr auto JoinPoll = 200ms;

} // namespace

RendezvousOpExecutor::RendezvousOpExecutor(EventLoop& loop, SharedState& shared, Listener& listener,
                                           Setting setting)
    : m_loop(loop)
    , m_shared(shared)
    , m_listener(listener)
    , m_setting(std::move(setting))
    , m_chance(static_cast<std::minstd_rand::result_type>(m_setting.node.pid))
{
}

void RendezvousOpExecutor::join(StateTime deadline)
{
    m_joinDeadline = deadline;
    pursue(Goal::Leave);
}

void RendezvousOpExecutor::close()
{
    pursue(Goal::Close);
}

void RendezvousOpExecutor::cancel()
{
    ++m_pursuit;
    m_goal = Goal::Idle;
    m_timer.cancel();
}

/// An answer that comes late has no say in what follows: what it was for is gone.
template <class T>
Store::Callback<T> RendezvousOpExecutor::whilePursued(Store::Callback<T> done) const
{
    return [this, pursuit = m_pursuit, done = std::move(done)](Result<T> result) {
        if (pursuit == m_pursuit)
            done(std::move(result));
    };
}

void RendezvousOpExecutor::pursue(Goal goal)
{
    ++m_pursuit;
    m_goal = goal;
    m_timer = m_loop.callAfter(0ns, [this] { advance(); });
}

Move RendezvousOpExecutor::nextMove(const RendezvousState& state, StateTime now) const
{
    switch (m_goal) {
    case Goal::Leave: return nextExitMove(state, m_setting.node);
    case Goal::Join:
        return nextJoinMove(state, m_setting.node, m_setting.settings, now, m_joinDeadline);
    case Goal::Close: return nextCloseMove(state);
    case Goal::Idle: break;
    }
    return Move::Finish;
}

void RendezvousOpExecutor::advance()
{
    RendezvousState state = m_shared.state();
    const StateTime now = m_setting.now();
    sanitise(state, m_setting.settings, now, m_setting.node);
    noteOthers(state);
    const Move move = nextMove(state, now);
    switch (move) {
    case Move::Wait: return readLater(JoinPoll);
    case Move::Finish: return reachedGoal();
    case Move::FailClosed:
    case Move::FailTimedOut: m_goal = Goal::Idle; return m_listener.joinRefused(move);
    case Move::KeepAlive:
    case Move::AddToParticipants:
    case Move::AddToWaitList:
    case Move::AddToRedundancyList:
    case Move::RemoveFromParticipants:
    case Move::RemoveFromWaitList:
    case Move::RemoveFromRedundancyList:
    case Move::MarkComplete:
    case Move::MarkClosed: return change(move, std::move(state), now);
    }
}

/// While they begin a new round they come and go, and are enough all the same.
void RendezvousOpExecutor::noteOthers(const RendezvousState& state)
{
    std::set<NodeDescription> others = state.waitList;
    for (const auto& [node, rank] : state.participants)
        others.insert(node);
    others.erase(m_setting.node);
    if (static_cast<int>(others.size()) >= m_setting.settings.minNodes)
        m_canOthersGoOn = true;
}

/// Who restarts leaves and joins in one step: in no list, it would be missed by a last call.
void RendezvousOpExecutor::joinAtOnce(RendezvousState& next, StateTime now) const
{
    const Move move = nextJoinMove(next, m_setting.node, m_setting.settings, now, m_joinDeadline);
    if (move == Move::AddToParticipants || move == Move::AddToWaitList)
        apply(move, next, m_setting.node, m_setting.settings, now);
}

void RendezvousOpExecutor::change(Move move, RendezvousState next, StateTime now)
{
    apply(move, next, m_setting.node, m_setting.settings, now);
    if (m_goal == Goal::Leave)
        joinAtOnce(next, now);
    m_shared.replace(next, whilePursued<bool>([this](const Result<bool>& taken) {
                         if (!taken)
                             return lost(taken.error());
                         if (*taken && m_goal == Goal::Leave)
                             return pursue(Goal::Join);
                         // Lost or won, the decision is made anew from what is there now. A loser
                         // waits a moment, so that hundreds of agents don't keep each other from
                         // writing.
                         m_timer =
                             m_loop.callAfter(*taken ? 0ms : writeBackoff(), [this] { advance(); });
                     }));
}

std::chrono::milliseconds RendezvousOpExecutor::writeBackoff()
{
    const auto least = std::chrono::milliseconds(1 + m_setting.node.pid % 9);
    const auto longest = m_setting.settings.longestWriteBackoff;
    if (longest <= least)
        return least;
    return std::chrono::milliseconds(
        std::uniform_int_distribution(least.count(), longest.count())(m_chance));
}

void RendezvousOpExecutor::readLater(std::chrono::milliseconds delay)
{
    m_timer = m_loop.callAfter(delay, [this] {
        m_shared.read(whilePursued<void>([this](const Result<void>& got) {
            if (!got)
                return lost(got.error());
            advance();
        }));
    });
}

void RendezvousOpExecutor::reachedGoal()
{
    const Goal goal = std::exchange(m_goal, Goal::Idle);
    switch (goal) {
    case Goal::Leave: return pursue(Goal::Join);
    case Goal::Join: return m_listener.stateJoined();
    case Goal::Close: return m_listener.stateClosed();
    case Goal::Idle: return;
    }
}

void RendezvousOpExecutor::lost(const Error& error)
{
    cancel();
    m_listener.stateLost(error);
}

} // namespace ringmaster
