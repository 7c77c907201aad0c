#include "tests/simulation/SimulatedTorchrun.h"

#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/RankExchange.h"

#include <cstdio>

namespace ringmaster::simulation {
namespace {

constexpr std::int64_t MonitorInterval = Second / 4; // it is 0.1 s
constexpr std::int64_t BetweenLooks = Second;        // at a state in which it has to wait

std::chrono::nanoseconds durationOf(std::int64_t time)
{
    return std::chrono::nanoseconds(time);
}

RendezvousSettings settingsOf(const Scenario& scenario)
{
    const auto seconds = [](std::int64_t time) { return std::chrono::seconds(time / Second); };
    return {.id = "run",
            .minNodes = scenario.min,
            .maxNodes = scenario.max,
            .joinTimeout = seconds(scenario.joinTimeout),
            .lastCallTimeout = seconds(scenario.lastCall)};
}

} // namespace

SimulatedTorchrun::SimulatedTorchrun(World& world, Program& program, int host, SharedPlace& place)
    : m_world(world)
    , m_place(place)
    , m_host(host)
    , m_process(world.time)
    , m_loop(m_process)
    , m_workers(std::make_unique<SimulatedWorkers>(world, program, m_process, host,
                                                   static_cast<WorkerProcesses::Host&>(*this)))
    , m_settings(settingsOf(world.scenario))
    , m_node{.address = "10.0.0." + std::to_string(host), .pid = world.nodeOf(host)}
    , m_restartsLeft(world.scenario.maxRestarts)
{
}

SimulatedTorchrun::~SimulatedTorchrun() = default;

void SimulatedTorchrun::start()
{
    if (m_host == 1)
        m_served = m_place.store.serve(m_host);
    m_store = std::make_unique<SimulatedStore>(m_world, m_place.network, m_place.store, m_process,
                                               m_host, 60 * Second);
    m_shared = std::make_unique<SharedState>(*m_store, m_settings.id, m_settings.readTimeout);
    m_shared->open([this](const Result<void>& opened) {
        opened ? rendezvous() : end(false, describe(opened.error()));
    });
}

void SimulatedTorchrun::kill()
{
    if (!isAlive())
        return;
    trace("is killed");
    ++m_world.agentsKilled;
    m_world.isAtEnd(m_host);
    m_process.kill();
    exit();
    m_workers->agentDied();
}

/// DynamicRendezvousHandler.next_rendezvous().
void SimulatedTorchrun::rendezvous()
{
    m_beat.cancel();
    m_isBeatDue = false;
    m_watch.cancel();
    whenIdle([this] {
        m_deadline = now() + m_settings.joinTimeout;
        operate(Goal::Exit, [this](const Result<void>& left) {
            if (!left)
                return end(false, describe(left.error()));
            operate(Goal::Join, [this](const Result<void>& done) {
                done ? joined() : end(false, describe(done.error()));
            });
        });
    });
}

/// _DistributedRendezvousOpExecutor.run().
void SimulatedTorchrun::operate(Goal goal, Done done)
{
    m_isBusy = true;
    m_shared->read([this, goal, done = std::move(done)](const Result<void>& got) {
        got ? advance(goal, done) : finish(done, got);
    });
}

void SimulatedTorchrun::finish(const Done& done, const Result<void>& result)
{
    m_isBusy = false;
    done(result);
    idle();
}

/// It does one thing after the other: what is under way is a heartbeat, or a look.
void SimulatedTorchrun::whenIdle(EventLoop::Task next)
{
    m_whenIdle = std::move(next);
    idle();
}

void SimulatedTorchrun::idle()
{
    if (m_isBusy)
        return;
    if (const auto next = std::exchange(m_whenIdle, nullptr))
        return next();
    if (std::exchange(m_isBeatDue, false))
        operate(Goal::KeepAlive, [](const Result<void>&) {});
}

Move SimulatedTorchrun::nextMove(Goal goal, RendezvousState state) const
{
    switch (goal) {
    case Goal::Exit: return nextExitMove(state, m_node);
    case Goal::Close: return nextCloseMove(state);
    case Goal::KeepAlive: return nextKeepAliveMove(state, m_node, m_settings, now());
    case Goal::Join: break;
    }
    // It doesn't look who else waits before it says that all are there.
    if (state.participants.contains(m_node) && !state.complete)
        state.waitList.clear();
    return nextJoinMove(state, m_node, m_settings, now(), m_deadline);
}

void SimulatedTorchrun::advance(Goal goal, const Done& done)
{
    RendezvousState state = m_shared->state();
    (void)sanitise(state, m_settings, now(), {}); // itself, too
    const Move move = nextMove(goal, state);
    switch (move) {
    case Move::Finish: return finish(done, {});
    case Move::FailClosed: return finish(done, fail(code::RendezvousClosed, {{"id", "run"}}));
    case Move::FailTimedOut:
        m_world.hasTorchrunFailed = true;
        return finish(done, fail(code::RendezvousTimedOut,
                                 {{"seconds", "0"}, {"present", "0"}, {"needed", "0"}}));
    case Move::Wait:
        m_again =
            m_loop.callAfter(durationOf(BetweenLooks), [this, goal, done] { operate(goal, done); });
        return;
    default: break;
    }
    const bool didWait = state.waitList.contains(m_node);
    apply(move, state, m_node, m_settings, now());
    if (move == Move::AddToRedundancyList && didWait)
        state.waitList.insert(m_node);
    m_shared->replace(state, [this, goal, done](const Result<bool>& taken) {
        taken ? advance(goal, done) : finish(done, tl::unexpected(taken.error()));
    });
}

void SimulatedTorchrun::beatLater()
{
    m_beat = m_loop.callAfter(m_settings.keepAliveInterval, [this] {
        beatLater();
        m_isBeatDue = true;
        idle();
    });
}

void SimulatedTorchrun::joined()
{
    beatLater();
    m_round = m_shared->state().round;
    m_size = static_cast<int>(m_shared->state().participants.size());
    const int rank = static_cast<int>(m_shared->state().participants.at(m_node));
    trace("is rank ", rank, " of ", m_size, " in round ", m_round);
    m_exchange.reset();
    m_roundStore = std::make_unique<PrefixStore>(prefixOfRound(m_settings.id, m_round), *m_store);
    m_exchange = std::make_unique<RoundExchange>(prefixOfRound(m_settings.id, m_round), *m_store,
                                                 m_settings.readTimeout);
    m_masterRound = m_masterRound.value_or(m_round);
    m_master ? giveRole(rank) : findMaster(rank);
}

/// RendezvousStoreInfo.build().
void SimulatedTorchrun::findMaster(int rank)
{
    const auto read = [this, rank] {
        m_exchange->readMaster(m_settings.readTimeout,
                               [this, rank](const Result<RoundExchange::Master>& master) {
                                   if (!master)
                                       return end(false, describe(master.error()));
                                   m_master = *master;
                                   giveRole(rank);
                               });
    };
    if (rank != 0)
        return read();
    m_servedForWorkers = m_place.serveWorkers(m_world, m_host);
    m_exchange->publishMaster({m_node.address, m_servedForWorkers->port()},
                              [this, read](const Result<void>& published) {
                                  published ? read() : end(false, describe(published.error()));
                              });
}

/// _assign_worker_ranks().
void SimulatedTorchrun::giveRole(int rank)
{
    const NodeOffer offer{.roles = {{"default", m_world.scenario.workers}}};
    m_roundStore->set("torchelastic/role_info/" + std::to_string(rank), roleInfoText(offer, rank),
                      [this, rank](const Result<void>& given) {
                          given ? assign(rank) : end(false, describe(given.error()));
                      });
}

void SimulatedTorchrun::assign(int rank)
{
    const auto read = [this, rank] {
        m_roundStore->get("torchelastic/assigned_ranks/" + std::to_string(rank),
                          m_settings.readTimeout, [this](const Result<std::string>& ranks) {
                              ranks ? launch(*ranks) : end(false, describe(ranks.error()));
                          });
    };
    if (rank != 0)
        return read();
    std::vector<std::string> keys;
    for (int node = 0; node < m_size; ++node)
        keys.push_back("torchelastic/role_info/" + std::to_string(node));
    m_roundStore->multiGet(
        keys, m_settings.readTimeout, [this, read](const Result<std::vector<std::string>>& texts) {
            if (!texts)
                return end(false, describe(texts.error()));
            std::vector<NodeOffer> offers;
            for (const std::string& text : *texts)
                offers.push_back(*offerFromRoleInfo(text));
            m_exchange->assignRanks(offers, [this, read](const Result<void>& assigned) {
                assigned ? read() : end(false, describe(assigned.error()));
            });
        });
}

void SimulatedTorchrun::launch(const std::string& ranks)
{
    int first = 0;
    int size = 0;
    if (std::sscanf(ranks.c_str(), "[%d,%d", &first, &size) != 2) // NOLINT(cert-err34-c)
        m_world.violated("torchrun can't read the ranks that it was given: " + ranks);
    m_exited = m_bad = 0;
    m_isAtWork = true;
    const auto round = static_cast<std::uint64_t>(m_round);
    m_workers->setAttempt(++m_attempt, round, first);
    if (m_masterRound != m_round)
        m_workers->setOldMaster();
    World::SeenRound& seen =
        m_world.seeRound(round, size, first, m_world.scenario.workers, "torchrun");
    m_place.store.rules().begun(round, m_node.pid, first, size);
    seen.torchrunMasters.insert(m_master->address + ":" + std::to_string(m_master->port));
    if (!m_place.isServed(*m_master)) {
        trace("has the store of a host that is gone");
        seen.isAnyMasterGone = true;
        m_world.failedAttempts.insert(m_world.attemptOf(m_host, m_attempt));
        ++m_bad;
        return watchLater();
    }
    std::vector<WorkerLaunch> launches;
    for (int rank = 0; rank < m_world.scenario.workers; ++rank)
        launches.push_back({.localRank = rank,
                            .environment = {"RANK=" + std::to_string(first + rank),
                                            "WORLD_SIZE=" + std::to_string(size),
                                            "MASTER_ADDR=" + m_master->address,
                                            "MASTER_PORT=" + std::to_string(m_master->port)}});
    (void)m_workers->start(std::move(launches), {});
    watchLater();
}

void SimulatedTorchrun::watchLater()
{
    m_watch = m_loop.callAfter(durationOf(MonitorInterval), [this] { watch(); });
}

/// SimpleElasticAgent._invoke_run().
void SimulatedTorchrun::watch()
{
    if (m_bad > 0)
        return failed();
    if (m_exited == m_world.scenario.workers)
        return succeeded();
    if (m_isBusy)
        return watchLater();
    m_isBusy = true;
    m_shared->read([this](const Result<void>& got) {
        m_isBusy = false;
        if (m_whenIdle)
            return idle();
        if (!got)
            return end(false, describe(got.error()));
        if (m_shared->state().waitList.empty()) {
            watchLater();
        } else {
            trace("restarts, since nodes wait");
            restart();
        }
        idle();
    });
}

void SimulatedTorchrun::failed()
{
    if (m_restartsLeft-- == 0) {
        m_hasFailedOfWorkers = true;
        return end(false, "a worker failed");
    }
    trace("restarts, since a worker failed");
    restart();
}

void SimulatedTorchrun::restart()
{
    m_world.rounds[static_cast<std::uint64_t>(m_round)].hostsRestarted.insert(m_host);
    m_watch.cancel();
    m_closed = [this] { rendezvous(); };
    m_workers->close();
}

void SimulatedTorchrun::succeeded()
{
    trace("has succeeded in round ", m_round);
    m_isAtWork = false;
    m_world.rounds[static_cast<std::uint64_t>(m_round)].hostsFinished.insert(m_host);
    m_exchange->enterExitBarrier(m_size, m_settings.exitBarrier,
                                 [this](const Result<void>&) { end(true, ""); });
}

/// launch_agent() shuts the rendezvous down in any case.
void SimulatedTorchrun::end(bool hasSucceeded, const std::string& why)
{
    if (std::exchange(m_isEnding, true))
        return;
    trace(hasSucceeded ? "ends well" : "fails: ", why);
    m_world.isAtEnd(m_host);
    m_endedAt = m_world.time.now();
    m_why = why;
    m_hasSucceeded = hasSucceeded;
    m_world.hasTorchrunFailed |= !hasSucceeded;
    m_watch.cancel();
    m_beat.cancel();
    m_isBeatDue = false;
    const auto close = [this] {
        whenIdle([this] {
            operate(Goal::Close, [this](const Result<void>&) {
                trace("exits");
                m_process.kill();
                exit();
            });
        });
    };
    if (!m_isAtWork)
        return close();
    m_closed = close;
    m_workers->close();
}

void SimulatedTorchrun::exit()
{
    m_served.reset();
    m_servedForWorkers.reset();
}

void SimulatedTorchrun::workerExited(int /*localRank*/, const WorkerExit& exit)
{
    ++m_exited;
    m_bad += exit.succeeded() ? 0 : 1;
}

void SimulatedTorchrun::attemptClosed()
{
    m_isAtWork = false;
    if (const auto follow = std::exchange(m_closed, nullptr))
        follow();
}

} // namespace ringmaster::simulation
