#include "tests/simulation/SimulatedAgent.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/container/Codes.h"
#include "engine/event/States.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/C10dRendezvous.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/LocalRendezvous.h"
#include "engine/rendezvous/StaticRendezvous.h"
#include "tests/simulation/Cause.h"
#include "tests/simulation/SimulatedStore.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::simulation {
namespace {

constexpr int RendezvousPort = 29400;

struct LoneStore : OpenStore
{
    std::uint16_t port() const override { return number; }
    std::uint16_t number = 0;
};

std::chrono::milliseconds milliseconds(std::int64_t ns)
{
    return std::chrono::milliseconds(ns / Millisecond);
}

JobSpec specOf(const Scenario& scenario)
{
    JobSpec spec;
    spec.roles = {Role{.kind = ProgramKind::Command,
                       .program = "train",
                       .workers = {WorkerCount::Kind::Number, scenario.workers}}};
    spec.restart.maxRestarts = scenario.maxRestarts;
    spec.restart.firstDelay = milliseconds(scenario.restartDelay);
    spec.restart.grace = milliseconds(scenario.grace);
    spec.warm = WarmMode::Off;
    return spec;
}

/// Until a lead has taken its record, an agent that has ended still waits for it.
bool isSaidOfLead(const EventBody& body)
{
    const auto* notice = std::get_if<Notice>(&body);
    return notice != nullptr &&
           (notice->message.code == code::LeadLost || notice->message.code == code::LeadBack);
}

} // namespace

SimulatedAgent::SimulatedAgent(World& world, Program& program, int host, const std::string& id,
                               std::uint64_t generation, SharedPlace* shared)
    : m_world(world)
    , m_program(program)
    , m_host(host)
    , m_node(world.nodeOf(host))
    , m_id(id)
    , m_shared(shared)
    , m_generation(generation)
    , m_process(world.time)
    , m_loop(m_process)
    , m_startedAt(world.time.now())
{
    const Scenario& scenario = world.scenario;
    ++world.agentsAlive[id];
    if (scenario.isLed) {
        AgentLaunchRequest order{.run = "run",
                                 .agent = id,
                                 .host = "host" + std::to_string(host),
                                 .generation = generation,
                                 .address = "10.0.0." + std::to_string(host),
                                 .leadTimeout = milliseconds(scenario.leadTimeout),
                                 .holdTimeout = milliseconds(scenario.reconnect + Second)};
        CoordinatedRendezvous::Options options;
        options.openStore = [this](const StoreServer::Options& asked) { return openStore(asked); };
        m_leadConnection =
            std::make_unique<LeadConnection>(m_loop, std::move(order), std::move(options),
                                             static_cast<LeadConnection::Host&>(*this));
    }
    AgentOptions options{.hostName = "host" + std::to_string(host),
                         .workers = {scenario.workers},
                         .token = "run",
                         .isLed = scenario.isLed};
    m_agent = std::make_unique<Agent>(
        specOf(scenario), std::move(options),
        Agent::Parts{.loop = m_loop,
                     .clock = m_process,
                     .events = *this,
                     .host = *this,
                     .rendezvous = [this](Rendezvous::Host& joined) { return rendezvous(joined); },
                     .processes =
                         [this](WorkerProcesses::Host& owner) {
                             auto made = std::make_unique<SimulatedWorkers>(
                                 m_world, m_program, m_process, m_host, owner);
                             m_workers = made.get();
                             return made;
                         },
                     .prepare = preparation(scenario)});
}

std::function<void(std::function<void(const Result<void>&)>)>
SimulatedAgent::preparation(const Scenario& scenario)
{
    if (!scenario.prepares)
        return {};
    return [this](std::function<void(const Result<void>&)> done) {
        prepare(std::move(done), static_cast<int>(m_world.chance.between(0, 10)));
    };
}

/// As an image is fetched: it says how far it is.
void SimulatedAgent::prepare(std::function<void(const Result<void>&)> done, int steps)
{
    if (m_hasEnded)
        return;
    if (m_world.happens(Fault::PreparingFails, 5)) {
        ++m_world.couldNotStart;
        m_world.hostsNotStarted.insert(m_host);
        m_world.hostsLost.insert(m_host);
        return m_process.post([done] { done(fail(code::DiskFull, {{"path", "/image"}})); });
    }
    if (steps == 0)
        return m_process.post([done] { done({}); });
    m_preparing = m_loop.callAfter(std::chrono::seconds(3), [this, done, steps] {
        if (!m_hasEnded)
            tell(Notice{.message = {code::ContainerImageFetched, {}, {}}});
        prepare(done, steps - 1);
    });
}

Result<std::unique_ptr<Rendezvous>> SimulatedAgent::rendezvous(Rendezvous::Host& host)
{
    if (m_leadConnection)
        return m_leadConnection->makeRendezvous(host);
    if (m_world.scenario.isStatic)
        return staticRendezvous(host);
    if (m_shared)
        return c10d(host);
    LocalRendezvous::Options options{.runId = "run", .masterAddress = "localhost"};
    options.openStore = [this](const StoreServer::Options& asked) { return openStore(asked); };
    return std::make_unique<LocalRendezvous>(std::move(options), m_loop, host);
}

Result<std::unique_ptr<OpenStore>> SimulatedAgent::openStore(const StoreServer::Options& options)
{
    if (m_shared != nullptr && options.port == RendezvousPort)
        return m_shared->store.serve(m_host);
    if (m_shared != nullptr)
        return m_shared->serveWorkers(m_world, m_host);
    auto store = std::make_unique<LoneStore>();
    store->number = static_cast<std::uint16_t>(m_world.chance.between(30000, 60000));
    return Result<std::unique_ptr<OpenStore>>(std::move(store));
}

/// The first host serves the store.
std::unique_ptr<Rendezvous> SimulatedAgent::c10d(Rendezvous::Host& host)
{
    const Scenario& scenario = m_world.scenario;
    const auto seconds = [](std::int64_t ns) { return std::chrono::seconds(ns / Second); };
    RendezvousOptions options{.method = RendezvousOptions::Method::C10d,
                              .settings = {.id = "run",
                                           .minNodes = scenario.min,
                                           .maxNodes = scenario.max,
                                           .joinTimeout = seconds(scenario.joinTimeout),
                                           .lastCallTimeout = seconds(scenario.lastCall)},
                              .configuration = {{"is_host", m_host == 1 ? "1" : "0"}},
                              .localAddress = "10.0.0." + std::to_string(m_host)};
    C10dRendezvous::Environment environment{
        .pid = m_node,
        .now =
            [this] { return StateTime(std::chrono::microseconds(m_process.now().wallNs / 1000)); },
        .openStore = [this](const StoreServer::Options& asked) { return openStore(asked); },
        .connect = [this](EventLoop& /*loop*/,
                          const TcpStoreClient::Options& asked) -> std::unique_ptr<Store> {
            SharedStore* workers = m_shared->find({asked.host, asked.port});
            return std::make_unique<SimulatedStore>(
                m_world, m_shared->network, workers ? *workers : m_shared->store, m_process, m_host,
                std::chrono::nanoseconds(asked.connectTimeout).count());
        }};
    return std::make_unique<C10dRendezvous>(std::move(options),
                                            RendezvousEndpoint{"10.0.0.1", RendezvousPort}, m_loop,
                                            host, std::move(environment));
}

/// The first host is node 0.
std::unique_ptr<Rendezvous> SimulatedAgent::staticRendezvous(Rendezvous::Host& host)
{
    struct Served : StaticRendezvous::ServedStore
    {
        Served(Process& in, SharedStore& of, int host)
            : process(in), store(of), open(of.serve(host))
        {
        }
        ~Served() override { *isHere = false; }
        void countClients(std::function<void(int)> counted) override
        {
            process.post([this, here = isHere, counted] {
                if (*here)
                    counted(store.clients());
            });
        }
        Process& process;
        SharedStore& store;
        std::unique_ptr<OpenStore> open;
        std::shared_ptr<bool> isHere = std::make_shared<bool>(true);
    };
    const Scenario& scenario = m_world.scenario;
    const auto seconds = [](std::int64_t ns) { return std::chrono::seconds(ns / Second); };
    RendezvousOptions options{.method = RendezvousOptions::Method::Static,
                              .settings = {.id = "run",
                                           .minNodes = scenario.hosts,
                                           .maxNodes = scenario.hosts,
                                           .staticTimeout = seconds(scenario.joinTimeout)},
                              .nodeRank = m_host - 1,
                              .masterAddress = "10.0.0.1",
                              .masterPort = RendezvousPort};
    StaticRendezvous::Environment environment{
        .now =
            [this] {
                return std::chrono::steady_clock::time_point(
                    std::chrono::nanoseconds(m_process.now().monotonicNs));
            },
        .serve = [this](EventLoop& /*loop*/, StoreServer::Options /*options*/)
            -> Result<std::unique_ptr<StaticRendezvous::ServedStore>> {
            return std::make_unique<Served>(m_process, m_shared->store, m_host);
        },
        .connect = [this](EventLoop& /*loop*/, const TcpStoreClient::Options& asked,
                          Store::Callback<void> connected) -> std::unique_ptr<Store> {
            auto store = std::make_unique<SimulatedStore>(
                m_world, m_shared->network, m_shared->store, m_process, m_host,
                std::chrono::nanoseconds(asked.connectTimeout).count());
            store->connect(std::move(connected));
            return store;
        }};
    return std::make_unique<StaticRendezvous>(std::move(options), m_loop, host,
                                              std::move(environment));
}

void SimulatedAgent::emit(const EventBody& body, const Moment& /*at*/)
{
    m_world.fingerprint.add(m_world.time.now());
    m_world.fingerprint.add(m_id);
    m_world.fingerprint.add(body);
    if (m_world.isTracing)
        print(body);
    check(body);
    m_events.push_back(body);
    std::erase_if(told, [&](const Told& tell) { return !tell(m_events.size(), body); });
}

void SimulatedAgent::print(const EventBody& body)
{
    const auto line = [this](const auto&... parts) {
        m_world.print("agent", m_host, m_id, ": ", parts...);
    };
    if (const auto* state = std::get_if<RunStateChanged>(&body))
        line("says ", nameOf(state->state), " ", state->reason);
    else if (const auto* step = std::get_if<RendezvousReport>(&body))
        line(step->step == RendezvousReport::Step::Offers ? "offers for round "
                                                          : "has finished round ",
             step->round);
    else if (const auto* notice = std::get_if<Notice>(&body))
        line("notes: ", notice->message);
    else if (const auto* attempt = std::get_if<AttemptStarted>(&body))
        line("starts attempt ", attempt->attempt, " in round ", attempt->round);
}

/// Facts in which it contradicts itself, or another agent.
void SimulatedAgent::check(const EventBody& body)
{
    if (m_hasEnded && !isSaidOfLead(body))
        m_world.violated("an agent said more after its end");
    const auto* state = std::get_if<RunStateChanged>(&body);
    m_hasEnded = m_hasEnded || (state != nullptr && isFinal(state->state));
    if (state != nullptr)
        checkState(*state);
    const auto* step = std::get_if<RendezvousStep>(&body);
    if (step != nullptr && step->step == RendezvousStep::Step::Joining)
        m_isInRound = false;
    const auto* restart = std::get_if<GroupRestarting>(&body);
    if (restart != nullptr && !m_leadConnection)
        checkRestart(*restart);
    const auto* attempt = std::get_if<AttemptStarted>(&body);
    if (attempt == nullptr)
        return;
    if (!m_leadConnection)
        checkCharged();
    m_attempt = attempt->attempt;
    m_firstRank = attempt->workers.front().globalRank;
    m_round = m_world.roundOf(attempt->round, m_begunBy[attempt->round]);
    m_isInRound = true;
    m_workers->setAttempt(attempt->attempt, *m_round, m_firstRank, m_begunBy[attempt->round]);
    World::SeenRound& round = m_world.rounds[*m_round];
    m_world.startsWork(m_host, m_id);
    // A lead that knows nothing of a round, and of whose members nobody is left, may use its
    // number.
    const bool isForgotten = m_leadConnection && m_generation > round.generation &&
                             std::ranges::none_of(round.ranks, [this](const auto& rank) {
                                 return m_world.agentsAlive.contains(rank.second);
                             });
    if (isForgotten)
        round = {.generation = m_generation};
    m_world.seeRound(*m_round, attempt->worldSize, m_firstRank,
                     static_cast<int>(attempt->workers.size()), m_id);
    if (m_world.scenario.isC10d)
        m_shared->store.rules().begun(*m_round, m_node, m_firstRank, attempt->worldSize);
}

void SimulatedAgent::checkState(const RunStateChanged& state)
{
    m_endReason = state.reason;
    m_endedAt = m_world.time.now();
    if (isFinal(state.state)) {
        m_world.endsWork(m_host, m_id);
        m_world.isAtEnd(m_host);
    }
    if (m_round && state.state == RunState::Succeeded)
        m_world.rounds[*m_round].hostsFinished.insert(m_host);
    if (m_round && state.state == RunState::Restarting)
        m_world.rounds[*m_round].hostsRestarted.insert(m_host);
    if (state.state == RunState::Failed && state.reason.code == code::None)
        m_world.violated("an agent failed without a reason");
    if (state.state == RunState::Succeeded && m_world.scenario.doMeet())
        checkSuccess(state.reason);
    if (m_round && state.state == RunState::Restarting && m_world.scenario.isC10d)
        m_shared->store.rules().brokenUp(*m_round, state.reason);
}

/// Of one that met others: its own workers have, unless it wasn't needed.
void SimulatedAgent::checkSuccess(const Message& reason)
{
    if (causeOf(reason.code) == Cause::Workers)
        m_world.violated("an agent succeeded, and says what its workers failed of: " +
                         describe(reason));
    if (!m_isInRound)
        return m_shared->store.rules().notNeeded(m_node);
    const std::set<int>& succeeded = m_world.rounds[*m_round].succeeded;
    for (int rank = m_firstRank; rank < m_firstRank + m_world.scenario.workers; ++rank)
        if (!succeeded.contains(rank))
            m_world.violated("an agent succeeded, and its rank " + std::to_string(rank) +
                             " of round " + std::to_string(*m_round) + " did not");
}

/// Without a lead it counts its own.
void SimulatedAgent::checkRestart(const GroupRestarting& restart)
{
    if (restart.budgetBefore == restart.budgetAfter) {
        m_brokenUpFor[restart.attempt] = restart.cause.code;
        return;
    }
    if (restart.budgetAfter != restart.budgetBefore - 1 || restart.budgetAfter < 0)
        m_world.violated("a restart was charged wrongly");
    const auto charged = m_world.attemptOf(m_host, restart.attempt);
    if (!m_world.failedAttempts.contains(charged))
        m_world.violated("a restart was charged though nothing had failed");
    if (!m_world.chargedAttempts.insert(charged).second)
        m_world.violated("a failure was charged twice");
}

/// Of the attempt before one that starts.
void SimulatedAgent::checkCharged()
{
    if (!m_attempt)
        return;
    const auto before = m_world.attemptOf(m_host, *m_attempt);
    if (!m_world.failedAttempts.contains(before) || m_world.chargedAttempts.contains(before))
        return;
    const auto found = m_brokenUpFor.find(*m_attempt);
    const Code cause = found != m_brokenUpFor.end() ? found->second : code::None;
    // It had been told to restart when the worker failed.
    const bool hasUserAsked = cause == code::UserRestarted && m_world.restartsAsked > 0;
    const bool haveOthersCome = m_world.scenario.isC10d && (cause == code::RendezvousNodesWaiting ||
                                                            cause == code::RendezvousNodeRestarts ||
                                                            cause == code::RendezvousNodeGone);
    if (!hasUserAsked && !haveOthersCome)
        m_world.violated("a failure wasn't charged");
}

void SimulatedAgent::execute(std::uint64_t generation, const Command& command)
{
    if (m_leadConnection && !m_leadConnection->obeys(generation))
        return trace("doesn't obey a lead that was replaced");
    if (generation < m_generation)
        m_world.violated("two leads command an agent");
    if (const auto* begin = std::get_if<BeginRound>(&command))
        m_begunBy[begin->round] = generation;
    if (const auto* signal = std::get_if<SignalWorker>(&command))
        m_workers->userSignals(signal->globalRank - m_firstRank);
    if (m_leadConnection)
        if (m_leadConnection->execute(command))
            return;
    (void)m_agent->handle(command);
}

Result<Moment> SimulatedAgent::heartbeat(const Heartbeat& heartbeat)
{
    auto held = m_leadConnection->heartbeat(heartbeat);
    if (held)
        m_generation = std::max(m_generation, heartbeat.generation);
    return held;
}

void SimulatedAgent::signalled(int signal)
{
    trace("is sent signal ", signal);
    m_agent->signalled(signal);
}

void SimulatedAgent::kill(bool isHeard)
{
    if (!isAlive())
        return;
    trace("is killed");
    ++m_world.agentsKilled;
    m_world.isAtEnd(m_host);
    m_world.ended(m_host, m_id);
    m_process.kill();
    endStore();
    m_workers->agentDied();
    if (!isHeard)
        return;
    for (const auto& hear : whenKilled)
        hear();
}

void SimulatedAgent::leadGone(const Error& why)
{
    m_hasGivenUp = true;
    m_agent->abort(why);
}

void SimulatedAgent::finished(RunState state, int /*exitCode*/)
{
    if (std::exchange(m_hasFinished, true))
        m_world.violated("an agent ended twice");
    if (!m_hasEnded || !isFinal(state))
        m_world.violated("an agent went without saying how it ended");
    if (m_leadConnection)
        m_leadConnection->finish([this] { exit(); });
    else
        exit();
}

void SimulatedAgent::exit()
{
    trace("exits");
    if (const int left = m_workers->running(); left > 0)
        m_world.violated("an agent exits, and " + std::to_string(left) + " of its workers run");
    m_hasExited = true;
    m_world.ended(m_host, m_id);
    m_process.kill();
    endStore();
}

void SimulatedAgent::endStore()
{
    if (m_shared == nullptr)
        return;
    if (m_shared->store.isServed() && m_shared->store.host() == m_host)
        m_shared->store.end();
    for (const auto& [port, store] : m_shared->workersStores)
        if (store->isServed() && store->host() == m_host)
            store->end();
}

} // namespace ringmaster::simulation
