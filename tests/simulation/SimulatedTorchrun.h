#pragma once

#include "engine/rendezvous/SharedState.h"
#include "engine/rendezvous/StateMachine.h"
#include "engine/store/PrefixStore.h"
#include "tests/simulation/SimulatedStore.h"
#include "tests/simulation/SimulatedWorkers.h"

#include <memory>
#include <optional>

namespace ringmaster::simulation {

/// An agent of torchrun's in a c10d rendezvous, as torch 2.11 has it: it restarts when nodes wait,
/// keeps the workers' store of its first round for life, never says that it gives up, and closes
/// the rendezvous whenever it ends.
class SimulatedTorchrun : WorkerProcesses::Host
{
public:
    SimulatedTorchrun(World& world, Program& program, int host, SharedPlace& place);
    ~SimulatedTorchrun() override;
    SimulatedTorchrun(const SimulatedTorchrun&) = delete;
    SimulatedTorchrun& operator=(const SimulatedTorchrun&) = delete;

    void start();
    void kill();
    void killKeeper() { m_workers->killKeeper(); }

    Process& process() { return m_process; }
    bool isAlive() const { return m_process.isAlive(); }
    int host() const { return m_host; }
    /// The number of it in World::nodeOf().
    int node() const { return static_cast<int>(m_node.pid); }
    bool hasSucceeded() const { return m_hasSucceeded; }
    /// By itself.
    bool hasFailed() const { return m_isEnding && !m_hasSucceeded; }
    bool hasFailedOfWorkers() const { return m_hasFailedOfWorkers; }
    const std::string& why() const { return m_why; }
    std::int64_t endedAt() const { return m_endedAt; }

private:
    enum class Goal { Exit, Join, Close, KeepAlive };
    using Done = std::function<void(const Result<void>&)>;

    void rendezvous();
    void whenIdle(EventLoop::Task next);
    void idle();
    void operate(Goal goal, Done done);
    void advance(Goal goal, const Done& done);
    void finish(const Done& done, const Result<void>& result);
    Move nextMove(Goal goal, RendezvousState state) const;
    void beatLater();
    void joined();
    void findMaster(int rank);
    void giveRole(int rank);
    void assign(int rank);
    void launch(const std::string& ranks);
    void watchLater();
    void watch();
    void failed();
    void restart();
    void succeeded();
    void end(bool hasSucceeded, const std::string& why);
    void exit();
    StateTime now() const
    {
        return StateTime(std::chrono::microseconds(m_process.now().wallNs / 1000));
    }
    template <class... Parts>
    void trace(const Parts&... parts)
    {
        m_world.trace("torchrun", m_host, parts...);
    }

    void attemptOpened(const Result<AttemptOutput>& /*output*/) override {}
    void startExplained(const Message& /*how*/) override {}
    void workerStarted(int /*localRank*/, pid_t /*pid*/, Moment /*at*/) override {}
    void workerNotStarted(int /*localRank*/, const Error& /*error*/) override
    {
        ++m_exited;
        ++m_bad;
    }
    void workerExited(int localRank, const WorkerExit& exit) override;
    void workerExplained(const WorkerExitReport& /*report*/,
                         OutOfMemoryWatch::Finding /*outOfMemory*/) override
    {
    }
    void sessionEnded(int /*localRank*/) override {}
    void keeperDied(const Error& /*error*/) override { ++m_bad; }
    void attemptClosed() override;

    World& m_world;
    SharedPlace& m_place;
    const int m_host;
    Process m_process;
    EventLoop m_loop;
    std::unique_ptr<SimulatedWorkers> m_workers;
    RendezvousSettings m_settings;
    NodeDescription m_node;
    std::unique_ptr<OpenStore> m_served;
    std::unique_ptr<OpenStore> m_servedForWorkers;
    std::unique_ptr<SimulatedStore> m_store;
    std::unique_ptr<SharedState> m_shared;
    std::unique_ptr<PrefixStore> m_roundStore;
    std::unique_ptr<RoundExchange> m_exchange;
    std::optional<RoundExchange::Master> m_master; ///< Of its first round …
    std::optional<std::int64_t> m_masterRound;     ///< … which was this.

    EventLoop::Task m_whenIdle;
    bool m_isBeatDue = false;
    bool m_isBusy = false; ///< Reads or changes the shared state.
    bool m_isEnding = false;
    bool m_hasSucceeded = false;
    bool m_hasFailedOfWorkers = false;
    bool m_isAtWork = false;
    StateTime m_deadline{};
    std::int64_t m_round = -1;
    int m_size = 0;
    int m_restartsLeft;
    int m_attempt = -1;
    int m_exited = 0;
    int m_bad = 0;
    std::string m_why; ///< It has failed.
    std::int64_t m_endedAt = 0;
    std::function<void()> m_closed; ///< What follows once no worker is left.
    EventLoop::Registration m_beat;
    EventLoop::Registration m_watch;
    EventLoop::Registration m_again;
};

} // namespace ringmaster::simulation
