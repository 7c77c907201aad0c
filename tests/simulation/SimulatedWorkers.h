#pragma once

#include "engine/agent/WorkerProcesses.h"
#include "tests/simulation/World.h"

#include <map>
#include <memory>
#include <vector>

namespace ringmaster::simulation {

class SimulatedWorkers;

/// The program that the job runs: where its workers are coupled, those of one round end together.
class Program
{
public:
    explicit Program(World& world) : m_world(world) {}

    void started(std::uint64_t round, SimulatedWorkers& workers, int localRank);
    /// One that ended before its work was done.
    void broke(std::uint64_t round);
    void forget(const SimulatedWorkers& workers);
    bool isComplete(std::uint64_t round) { return m_groups[round].isComplete; }

private:
    struct Rank
    {
        SimulatedWorkers* workers = nullptr;
        int localRank = 0;
        std::uint64_t life = 0;
    };
    struct Group
    {
        std::vector<Rank> ranks{};
        bool isBroken = false;
        bool isComplete = false;
    };

    World& m_world;
    std::map<std::uint64_t, Group> m_groups;
};

/// Workers without processes, and the keeper that they have.
class SimulatedWorkers : public WorkerProcesses
{
public:
    SimulatedWorkers(World& world, Program& program, Process& agent, int number, Host& host);
    ~SimulatedWorkers() override;

    void open(AttemptOutputRequest request) override;
    Result<void> start(std::vector<WorkerLaunch> launches,
                       std::optional<WarmRequest> warm) override;
    bool abandonStart() override { return false; }
    void signal(int localRank, int number) override;
    void stop(int localRank, int number) override;
    void close() override;
    std::vector<Message> survivors() const override;
    void finish(std::function<void()> done) override;

    /// From the next attempt's AttemptStarted.
    void setAttempt(int attempt, std::uint64_t round, int firstRank, std::uint64_t lead = 0);
    /// They are told the store of an earlier round, as torchrun does it.
    void setOldMaster() { m_hasOldMaster = true; }
    /// But for those that can't be killed.
    int running() const;
    /// By somebody: the agent isn't told.
    void killKeeper();
    void agentDied();
    /// What the user's next signal does isn't the agent's doing.
    void userSignals(int localRank);

    // What the program does, where a worker of this life still runs.
    void finishSoon(int localRank, std::uint64_t life, std::int64_t delay);
    void wakeAfter(int localRank, std::uint64_t life, std::int64_t delay);
    /// Unless its round is complete then.
    void giveUpAfter(int localRank, std::uint64_t life, std::int64_t delay);
    void failSoon(int localRank, std::uint64_t life, std::int64_t delay);
    bool isRunning(int localRank, std::uint64_t life) const;
    std::uint64_t lifeOf(int localRank) const { return m_workers.at(localRank).life; }

private:
    struct Worker
    {
        std::uint64_t life = 0; ///< Which of all that were started.
        bool isRunning = false;
        bool isEndedByAgent = false;
        bool wasTold = false; ///< As its keeper says it.
        bool isUserSignalled = false;
        bool hasFamily = false; ///< Others of its session, who take longer to die.
        bool ignoresSignal = false;
        bool isUnkillable = false;
        bool isKilled = false; ///< And unkillable.
        int exitCode = 0;      ///< On SIGTERM; -1: it dies of the signal.
        std::int64_t dyingTakes = 0;
    };

    void check(const WorkerLaunch& launch) const;
    void notStarted();
    void begin(int localRank);
    void end(int localRank, WorkerExit exit);
    void later(std::int64_t delay, EventLoop::Task task);
    void tellIfClosed();
    template <class... Parts>
    void trace(const Parts&... parts)
    {
        m_world.trace("workers", m_number, parts...);
    }

    World& m_world;
    Program& m_program;
    Process& m_agent;
    const int m_number;
    Host& m_host;
    std::map<int, Worker> m_workers;
    std::uint64_t m_lives = 0;
    int m_attempt = 0;
    std::uint64_t m_round = 0;
    int m_firstRank = 0;
    std::uint64_t m_lead = 0; ///< That began the attempt.
    bool m_hasOldMaster = false;
    int m_unexplained = 0;
    bool m_isClosing = false;
    bool m_hasKeeper = true;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster::simulation
