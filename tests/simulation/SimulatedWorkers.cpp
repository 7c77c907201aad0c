#include "tests/simulation/SimulatedWorkers.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::simulation {

void Program::started(std::uint64_t round, SimulatedWorkers& workers, int localRank)
{
    Group& group = m_groups[round];
    group.ranks.push_back({&workers, localRank, workers.lifeOf(localRank)});
    if (group.isBroken)
        return workers.failSoon(localRank, workers.lifeOf(localRank),
                                m_world.chance.between(0, 5 * Second));
    const auto seen = m_world.rounds.find(round);
    if (seen == m_world.rounds.end() ||
        static_cast<int>(group.ranks.size()) < seen->second.worldSize)
        return;
    group.isComplete = true;
    const std::int64_t work = m_world.chance.between(1, m_world.scenario.work);
    for (const Rank& rank : group.ranks)
        rank.workers->finishSoon(rank.localRank, rank.life,
                                 work + m_world.chance.between(0, Second));
}

void Program::broke(std::uint64_t round)
{
    Group& group = m_groups[round];
    if (!m_world.scenario.isCoupled || std::exchange(group.isBroken, true))
        return;
    for (const Rank& rank : group.ranks)
        rank.workers->failSoon(rank.localRank, rank.life, m_world.chance.between(0, 5 * Second));
}

void Program::forget(const SimulatedWorkers& workers)
{
    for (auto& [round, group] : m_groups)
        std::erase_if(group.ranks,
                      [&workers](const Rank& rank) { return rank.workers == &workers; });
}

SimulatedWorkers::SimulatedWorkers(World& world, Program& program, Process& agent, int number,
                                   Host& host)
    : m_world(world), m_program(program), m_agent(agent), m_number(number), m_host(host)
{
}

SimulatedWorkers::~SimulatedWorkers()
{
    *m_alive = false;
    m_program.forget(*this);
}

void SimulatedWorkers::notStarted()
{
    ++m_world.couldNotStart;
    m_world.hostsNotStarted.insert(m_number);
}

void SimulatedWorkers::later(std::int64_t delay, EventLoop::Task task)
{
    m_world.time.after(delay, [this, alive = m_alive, task = std::move(task)] {
        if (*alive && m_agent.isAlive())
            m_agent.post(task);
    });
}

void SimulatedWorkers::open(AttemptOutputRequest request)
{
    const bool fails = m_world.happens(Fault::OutputCannotOpen, 10);
    if (fails)
        notStarted();
    std::vector<int> ranks;
    for (const auto& worker : request.workers)
        ranks.push_back(worker.localRank);
    const std::int64_t slow = m_world.happens(Fault::SlowStart, 30) ? 20 * Second : Second / 10;
    later(m_world.chance.between(0, slow), [this, fails, ranks] {
        if (fails)
            return m_host.attemptOpened(fail(code::DiskFull, {{"path", "/logs"}}));
        AttemptOutput output;
        for (const int rank : ranks)
            output.workers.push_back({.localRank = rank});
        m_host.attemptOpened(std::move(output));
    });
}

Result<void> SimulatedWorkers::start(std::vector<WorkerLaunch> launches,
                                     std::optional<WarmRequest> /*warm*/)
{
    m_hasKeeper = true;
    m_workers.clear();
    const bool isSlow = m_world.happens(Fault::SlowStart, 30);
    m_world.obstacles += isSlow ? 1 : 0;
    const std::int64_t slow = isSlow ? 10 * Second : Second / 5;
    for (const WorkerLaunch& launch : launches) {
        check(launch);
        const int rank = launch.localRank;
        m_workers[rank].life = ++m_lives;
        later(m_world.chance.between(1, slow), [this, rank, life = m_lives] {
            if (m_workers.contains(rank) && m_workers.at(rank).life == life && m_hasKeeper &&
                !m_isClosing)
                begin(rank);
        });
    }
    return {};
}

/// What each worker is told of its round has to be the same, but for its rank.
void SimulatedWorkers::check(const WorkerLaunch& launch) const
{
    const auto variable = [&launch](std::string_view name) -> std::string {
        for (const std::string& line : launch.environment)
            if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=')
                return line.substr(name.size() + 1);
        return {};
    };
    World::SeenRound& round = m_world.rounds[m_round];
    if (variable("RANK") != std::to_string(m_firstRank + launch.localRank) ||
        variable("WORLD_SIZE") != std::to_string(round.worldSize))
        m_world.violated("a worker was told another rank or size than its agent says");
    if (m_hasOldMaster)
        return m_world.checkMasters(m_round);
    const std::string master = variable("MASTER_ADDR") + ":" + variable("MASTER_PORT");
    const std::string restarts = variable("TORCHELASTIC_RESTART_COUNT");
    if (round.master.empty()) {
        round.master = master;
        round.restarts = restarts;
    }
    if (round.master != master)
        m_world.violated("workers disagree on the master of round " + std::to_string(m_round));
    m_world.checkMasters(m_round);
    if (m_world.scenario.isLed && round.restarts != restarts)
        m_world.violated("workers disagree on the restarts before round " +
                         std::to_string(m_round));
}

void SimulatedWorkers::begin(int localRank)
{
    if (m_world.happens(Fault::WorkerCannotStart, 5)) {
        notStarted();
        trace("local rank ", localRank, " can't be started");
        return m_host.workerNotStarted(localRank, {{code::FileNotReadable, {{"path", "train"}}}});
    }
    Worker& worker = m_workers.at(localRank);
    worker.isRunning = true;
    ++m_world.workersRunning;
    Random& faults = m_world.faults;
    worker.ignoresSignal = m_world.happens(Fault::WorkerIgnoresSignal, 30);
    worker.exitCode = m_world.happens(Fault::WorkerExitsWell, 40) ? 0 : faults.chance(20) ? 1 : -1;
    worker.dyingTakes = m_world.happens(Fault::WorkerSlowToDie, 40)
                            ? faults.between(0, 2 * m_world.scenario.grace)
                            : faults.between(0, Second / 5);
    worker.isUnkillable = m_world.happens(Fault::WorkerUnkillable, 5);
    const std::uint64_t life = worker.life;
    const bool fails = m_world.happens(Fault::WorkerFails, m_world.scenario.failPercent);
    const bool hangs = !fails && m_world.happens(Fault::WorkerHangs, 10);
    trace("local rank ", localRank, " starts", (fails ? ", will fail" : ""),
          (hangs ? ", will hang" : ""));
    m_host.workerStarted(localRank, 1000 + static_cast<int>(life), m_agent.now());
    if (fails)
        failSoon(localRank, life, faults.between(0, 15 * Second));
    else if (hangs) // until somebody looks at it
        wakeAfter(localRank, life,
                  std::max<std::int64_t>(0, m_world.scenario.healedAt - m_world.time.now()) +
                      faults.between(0, 10 * Second));
    else if (!m_world.scenario.isCoupled)
        finishSoon(localRank, life, m_world.chance.between(1, m_world.scenario.work));
    // Others of its round may never come where each node counts its own, and torchrun doesn't look
    // whether one that has joined is still there.
    if (m_world.scenario.isCoupled && (m_world.scenario.isStatic || m_world.scenario.hasTorchruns))
        giveUpAfter(localRank, life, 60 * Second);
    if (m_world.scenario.isCoupled && !hangs)
        m_program.started(m_round, *this, localRank);
    else if (m_world.scenario.isCoupled && !fails)
        m_program.started(m_round, *this, localRank);
}

bool SimulatedWorkers::isRunning(int localRank, std::uint64_t life) const
{
    const auto found = m_workers.find(localRank);
    return found != m_workers.end() && found->second.life == life && found->second.isRunning;
}

int SimulatedWorkers::running() const
{
    return static_cast<int>(std::ranges::count_if(m_workers, [](const auto& entry) {
        return entry.second.isRunning && !entry.second.isKilled;
    }));
}

void SimulatedWorkers::finishSoon(int localRank, std::uint64_t life, std::int64_t delay)
{
    m_world.time.after(delay, [this, alive = m_alive, localRank, life] {
        if (*alive && isRunning(localRank, life))
            end(localRank, {});
    });
}

/// Where its round has never met, it finds out that it has waited in vain.
void SimulatedWorkers::wakeAfter(int localRank, std::uint64_t life, std::int64_t delay)
{
    m_world.time.after(delay, [this, alive = m_alive, localRank, life] {
        if (!*alive || !isRunning(localRank, life))
            return;
        const bool hasMet = !m_world.scenario.isCoupled || m_program.isComplete(m_round);
        end(localRank, {.code = hasMet ? 0 : 1});
    });
}

void SimulatedWorkers::giveUpAfter(int localRank, std::uint64_t life, std::int64_t delay)
{
    m_world.time.after(delay, [this, alive = m_alive, localRank, life] {
        if (*alive && isRunning(localRank, life) && !m_program.isComplete(m_round))
            end(localRank, {.code = 1});
    });
}

void SimulatedWorkers::failSoon(int localRank, std::uint64_t life, std::int64_t delay)
{
    m_world.time.after(delay, [this, alive = m_alive, localRank, life] {
        if (*alive && isRunning(localRank, life))
            end(localRank, {.code = 1});
    });
}

void SimulatedWorkers::userSignals(int localRank)
{
    if (const auto found = m_workers.find(localRank); found != m_workers.end())
        found->second.isUserSignalled = true;
}

void SimulatedWorkers::signal(int localRank, int number)
{
    const auto found = m_workers.find(localRank);
    if (found == m_workers.end() || !found->second.isRunning)
        return;
    Worker& worker = found->second;
    if (!worker.isUserSignalled)
        worker.isEndedByAgent = true;
    if (number != SIGKILL && (worker.ignoresSignal || worker.isUnkillable))
        return;
    if (worker.isUnkillable && std::exchange(worker.isKilled, true))
        return;
    WorkerExit exit{.signal = number};
    if (number != SIGKILL && worker.exitCode >= 0)
        exit = {.code = worker.exitCode};
    std::int64_t takes = number == SIGKILL ? Millisecond : worker.dyingTakes;
    if (worker.isUnkillable) {
        ++m_world.unkillable;
        m_world.hostsUnkillable.insert(m_number);
        ++m_world.unkillableRunning;
        takes = m_world.faults.between(Second, 60 * Second);
        trace("local rank ", localRank, " can't be killed");
    }
    m_world.time.after(takes, [this, alive = m_alive, localRank, life = worker.life, exit] {
        if (*alive && isRunning(localRank, life))
            end(localRank, exit);
    });
}

/// Where it leaves others of its session behind, they take a while longer.
void SimulatedWorkers::stop(int localRank, int number)
{
    if (const auto found = m_workers.find(localRank); found != m_workers.end()) {
        found->second.hasFamily = m_world.happens(Fault::WorkerSlowToDie, 30);
        found->second.wasTold = found->second.isRunning;
    }
    signal(localRank, number);
}

void SimulatedWorkers::end(int localRank, WorkerExit exit)
{
    Worker& worker = m_workers.at(localRank);
    worker.isRunning = false;
    --m_world.workersRunning;
    m_world.unkillableRunning -= worker.isKilled ? 1 : 0;
    trace("local rank ", localRank, " ends: code ", exit.code, ", signal ", exit.signal);
    if (!exit.succeeded() && (!worker.isEndedByAgent || worker.isUserSignalled))
        m_world.failed(m_number, m_attempt, m_lead);
    if (exit.succeeded())
        m_world.rounds[m_round].succeeded.insert(m_firstRank + localRank);
    else
        m_program.broke(m_round);
    if (!m_agent.isAlive())
        return;
    exit.at = m_agent.now();
    exit.wasTold = worker.wasTold;
    ++m_unexplained;
    if (worker.hasFamily) {
        exit.descendantsLeft = 1;
        later(m_world.chance.between(1, 2 * m_world.scenario.grace),
              [this, localRank, life = worker.life] {
                  const auto found = m_workers.find(localRank);
                  if (found != m_workers.end() && found->second.life == life && !m_isClosing)
                      m_host.sessionEnded(localRank);
              });
    }
    later(0, [this, localRank, exit] { m_host.workerExited(localRank, exit); });
    later(m_world.chance.between(1, Second / 5), [this, localRank] {
        --m_unexplained;
        m_host.workerExplained({.localRank = localRank}, OutOfMemoryWatch::Finding::No);
        tellIfClosed();
    });
}

void SimulatedWorkers::setAttempt(int attempt, std::uint64_t round, int firstRank,
                                  std::uint64_t lead)
{
    m_lead = lead;
    m_attempt = attempt;
    m_round = round;
    m_firstRank = firstRank;
    m_hasOldMaster = false;
}

void SimulatedWorkers::killKeeper()
{
    const bool hasAny =
        std::ranges::any_of(m_workers, [](const auto& entry) { return entry.second.isRunning; });
    if (!hasAny || !m_hasKeeper || m_isClosing)
        return;
    trace("the keeper is killed");
    m_hasKeeper = false;
    m_world.failed(m_number, m_attempt, m_lead);
    for (auto& [rank, worker] : m_workers)
        if (std::exchange(worker.isRunning, false)) {
            --m_world.workersRunning;
            m_world.unkillableRunning -= worker.isKilled ? 1 : 0;
        }
    m_program.broke(m_round);
    later(Millisecond, [this] {
        if (!m_isClosing)
            m_host.keeperDied({{code::KeeperLost}});
    });
}

void SimulatedWorkers::agentDied()
{
    // Its keeper kills what it has at the end of the connection.
    bool hadAny = false;
    for (auto& [rank, worker] : m_workers)
        if (std::exchange(worker.isRunning, false)) {
            --m_world.workersRunning;
            m_world.unkillableRunning -= worker.isKilled ? 1 : 0;
            hadAny = true;
        }
    if (hadAny)
        m_program.broke(m_round);
}

void SimulatedWorkers::close()
{
    m_isClosing = true;
    for (auto& [rank, worker] : m_workers) {
        if (!worker.isRunning) {
            worker.life = 0; // and won't be started
            continue;
        }
        worker.isEndedByAgent = true;
        worker.wasTold = true;
        signal(rank, SIGKILL);
    }
    later(5 * Millisecond, [this] { tellIfClosed(); });
}

std::vector<Message> SimulatedWorkers::survivors() const
{
    std::vector<Message> found;
    for (const auto& [rank, worker] : m_workers)
        if (worker.isRunning && worker.isKilled)
            found.push_back({code::SurvivorInKernel,
                             {{"pid", std::to_string(1000 + worker.life)},
                              {"name", "train"},
                              {"place", "nfs_wait"}},
                             {}});
    return found;
}

void SimulatedWorkers::tellIfClosed()
{
    const bool isAnyRunning =
        std::ranges::any_of(m_workers, [](const auto& entry) { return entry.second.isRunning; });
    if (isAnyRunning || m_unexplained > 0 || !std::exchange(m_isClosing, false))
        return;
    m_host.attemptClosed();
}

void SimulatedWorkers::finish(std::function<void()> done)
{
    later(m_world.chance.between(0, Second / 10), std::move(done));
}

} // namespace ringmaster::simulation
