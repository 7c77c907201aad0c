#include "tests/simulation/SimulatedAgent.h"

#include "engine/event/States.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/LoneRendezvous.h"

#include <csignal>

namespace ringmaster::simulation {
namespace {

struct SimulatedStore : OpenStore
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

} // namespace

SimulatedAgent::SimulatedAgent(World& world, Program& program, int host, const std::string& id,
                               std::uint64_t generation)
    : m_world(world)
    , m_program(program)
    , m_host(host)
    , m_id(id)
    , m_generation(generation)
    , m_process(world.time)
    , m_loop(m_process)
{
    const Scenario& scenario = world.scenario;
    if (scenario.isLed) {
        Order order{.run = "run",
                    .agent = id,
                    .host = "host" + std::to_string(host),
                    .generation = generation,
                    .address = "10.0.0." + std::to_string(host),
                    .leadTimeout = milliseconds(scenario.leadTimeout),
                    .holdTimeout = milliseconds(scenario.patience + 2 * Second)};
        LedRendezvous::Options options;
        options.openStore = [&world](const StoreServer::Options&) {
            auto store = std::make_unique<SimulatedStore>();
            store->number = static_cast<std::uint16_t>(world.chance.between(30000, 60000));
            return Result<std::unique_ptr<OpenStore>>(std::move(store));
        };
        m_tether = std::make_unique<Tether>(m_loop, std::move(order), std::move(options),
                                            static_cast<Tether::Host&>(*this));
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
                     .rendezvous = [this](Rendezvous::Host& joined) { return meeting(joined); },
                     .processes =
                         [this](WorkerProcesses::Host& owner) {
                             auto made = std::make_unique<SimulatedWorkers>(
                                 m_world, m_program, m_process, m_host, owner);
                             m_workers = made.get();
                             return made;
                         }});
}

Result<std::unique_ptr<Rendezvous>> SimulatedAgent::meeting(Rendezvous::Host& host)
{
    if (m_tether)
        return m_tether->makeRendezvous(host);
    LoneRendezvous::Options options{.runId = "run", .masterAddress = "localhost"};
    options.openStore = [this](const StoreServer::Options&) {
        auto store = std::make_unique<SimulatedStore>();
        store->number = static_cast<std::uint16_t>(m_world.chance.between(30000, 60000));
        return Result<std::unique_ptr<OpenStore>>(std::move(store));
    };
    return std::make_unique<LoneRendezvous>(std::move(options), m_loop, host);
}

void SimulatedAgent::trace(const std::string& text)
{
    m_world.trace("agent", m_host, [&] { return m_id + ": " + text; });
}

void SimulatedAgent::emit(const EventBody& body, const Moment& /*at*/)
{
    m_world.hash(body.index());
    if (m_world.isTracing) {
        if (const auto* state = std::get_if<RunStateChanged>(&body))
            trace("says " + std::string(nameOf(state->state)) + " " + describe(state->reason));
        else if (const auto* step = std::get_if<MeetingStep>(&body))
            trace(std::string(step->step == MeetingStep::Step::Offers ? "offers for round "
                                                                      : "has finished round ") +
                  std::to_string(step->round));
        else if (const auto* notice = std::get_if<Notice>(&body))
            trace("notes: " + describe(notice->message));
        else if (const auto* attempt = std::get_if<AttemptStarted>(&body))
            trace("starts attempt " + std::to_string(attempt->attempt) + " in round " +
                  std::to_string(attempt->round));
    }
    check(body);
    m_events.push_back(body);
    if (told)
        told(m_events.size(), body);
}

/// Facts in which it contradicts itself, or another agent.
void SimulatedAgent::check(const EventBody& body)
{
    if (m_hasEnded && !std::holds_alternative<Notice>(body))
        m_world.violated("an agent said more after its end");
    const auto* state = std::get_if<RunStateChanged>(&body);
    m_hasEnded = m_hasEnded || (state != nullptr && isFinal(state->state));
    if (state != nullptr)
        m_endReason = state->reason;
    if (state != nullptr && state->state == RunState::Failed && state->reason.code == code::None)
        m_world.violated("an agent failed without a reason");
    if (const auto* restart = std::get_if<GroupRestarting>(&body);
        restart && !m_tether && restart->budgetBefore != restart->budgetAfter) {
        if (!m_world.failedAttempts.contains(restart->attempt))
            m_world.violated("a restart was charged though nothing had failed");
        if (!m_world.chargedAttempts.insert(restart->attempt).second)
            m_world.violated("a failure was charged twice");
    }
    const auto* attempt = std::get_if<AttemptStarted>(&body);
    if (attempt == nullptr)
        return;
    m_workers->setAttempt(attempt->attempt, attempt->round);
    m_firstRank = attempt->workers.front().globalRank;
    World::SeenRound& round = m_world.rounds[attempt->round];
    if (round.worldSize == 0)
        round.worldSize = attempt->worldSize;
    if (round.worldSize != attempt->worldSize)
        m_world.violated("agents disagree on the size of round " + std::to_string(attempt->round));
    for (const WorkerAssignment& worker : attempt->workers) {
        if (worker.globalRank < 0 || worker.globalRank >= round.worldSize)
            m_world.violated("a rank beyond the size of its round");
        const auto [owner, isNew] = round.ranks.emplace(worker.globalRank, m_id);
        if (!isNew)
            m_world.violated("rank " + std::to_string(worker.globalRank) + " of round " +
                             std::to_string(attempt->round) + " was given twice");
    }
}

void SimulatedAgent::execute(std::uint64_t generation, const Command& command)
{
    if (generation < m_generation)
        m_world.violated("two leads command an agent");
    if (const auto* signal = std::get_if<SignalWorker>(&command))
        m_workers->userSignals(signal->globalRank - m_firstRank);
    if (m_tether)
        if (m_tether->execute(command))
            return;
    (void)m_agent->handle(command);
}

Result<Moment> SimulatedAgent::hold(const Hold& hold)
{
    auto held = m_tether->hold(hold);
    if (held)
        m_generation = std::max(m_generation, hold.generation);
    return held;
}

void SimulatedAgent::signalled(int signal)
{
    trace("is sent signal " + std::to_string(signal));
    m_agent->signalled(signal);
}

void SimulatedAgent::kill()
{
    if (!isAlive())
        return;
    trace("is killed");
    m_process.kill();
    m_workers->agentDied();
    if (whenKilled)
        whenKilled();
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
    if (m_tether)
        m_tether->finish([this] { exit(); });
    else
        exit();
}

void SimulatedAgent::exit()
{
    trace("exits");
    m_hasExited = true;
    m_process.kill();
}

} // namespace ringmaster::simulation
