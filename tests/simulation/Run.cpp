#include "tests/simulation/Run.h"

#include "engine/agent/Codes.h"
#include "engine/event/States.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <csignal>

namespace ringmaster::simulation {
namespace {

class Run
{
public:
    Run(const Scenario& scenario, bool tracing);
    ~Run() { m_world.time.clear(); } // what waits there holds agents
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    void go();
    Outcome outcome() const;

private:
    void incident();
    void alone();
    int anyHost() { return static_cast<int>(m_random.between(1, m_world.scenario.hosts)); }
    bool isAnybodyAlive() const;
    void checkEnd();
    void checkFailure(const Message& reason);

    World m_world;
    Program m_program;
    Network m_network;
    std::optional<SimulatedLead> m_lead;
    std::shared_ptr<SimulatedAgent> m_agent; ///< Without a lead.
    Random m_random;
    bool m_isLeadKilled = false;
};

Run::Run(const Scenario& scenario, bool tracing)
    : m_world(scenario, tracing)
    , m_program(m_world)
    , m_network(m_world, m_program)
    , m_random(scenario.seed * 0xaf251af3b0f025b5U + 4)
{
}

bool Run::isAnybodyAlive() const
{
    const auto isAlive = [](const auto& agent) { return agent->isAlive(); };
    return (m_lead && m_lead->process().isAlive()) ||
           std::ranges::any_of(m_network.agents(), isAlive) || (m_agent && m_agent->isAlive());
}

void Run::go()
{
    const Scenario& scenario = m_world.scenario;
    if (scenario.isLed) {
        m_lead.emplace(m_world, m_network, 1);
        m_lead->start();
    } else {
        m_agent = std::make_shared<SimulatedAgent>(m_world, m_program, 1, "1", 1);
        m_agent->process().post([this] { m_agent->start(); });
    }
    for (int number = 0; number < scenario.incidents; ++number)
        m_world.time.at(m_random.between(Second, scenario.healedAt), [this] { incident(); });
    // All that is allowed to take time, one after the other, and as much again.
    const std::int64_t limit =
        scenario.healedAt +
        2 * (scenario.joinTimeout + scenario.leadTimeout + 4 * scenario.grace + scenario.lastCall +
             (scenario.maxRestarts + 3) * (scenario.work + scenario.grace + 100 * Second));
    while (isAnybodyAlive()) {
        if (!m_world.time.step())
            m_world.violated("somebody waits, and nothing will happen any more");
        if (m_world.time.now() > limit)
            m_world.violated("the run doesn't end");
    }
    checkEnd();
}

/// Something that people, cables or kernels do.
void Run::incident()
{
    const Scenario& scenario = m_world.scenario;
    std::vector<Fault> possible;
    for (const Fault fault :
         {Fault::Cut, Fault::CutOneWay, Fault::HostCrash, Fault::AgentKilled, Fault::AgentStopped,
          Fault::AgentSignalled, Fault::KeeperKilled, Fault::UserRestarts, Fault::UserStops,
          Fault::UserStopsNow, Fault::UserSignals, Fault::LeadKilled, Fault::LeadStopped,
          Fault::PlacesTaken})
        if (scenario.has(fault))
            possible.push_back(fault);
    if (possible.empty() || m_world.isHealed())
        return;
    const Fault fault = possible[static_cast<size_t>(
        m_random.between(0, static_cast<std::int64_t>(possible.size()) - 1))];
    const int host = anyHost();
    const std::int64_t length = m_random.chance(60) ? m_random.between(Millisecond, 12 * Second)
                                                    : m_random.between(Second, 120 * Second);
    if (!m_lead)
        return alone();
    const auto agent = m_network.runningAgent(host);
    switch (fault) {
    case Fault::Cut: m_network.cut(host, true, true, length); break;
    case Fault::CutOneWay: {
        const bool isToHost = m_random.chance(50);
        m_network.cut(host, isToHost, !isToHost, length);
        break;
    }
    case Fault::HostCrash: m_network.crash(host, length); break;
    case Fault::AgentKilled:
        if (agent)
            agent->kill();
        break;
    case Fault::AgentStopped:
        if (agent) {
            m_world.trace("network", 0, [&] {
                return "agent " + agent->id() + " stands still for " +
                       std::to_string(length / Millisecond) + " ms";
            });
            const std::int64_t until = std::min(m_world.time.now() + length, scenario.healedAt);
            agent->process().stopUntil(until);
            m_world.longestAbsence += until - m_world.time.now();
        }
        break;
    case Fault::AgentSignalled:
        if (agent) {
            ++m_world.agentsSignalled;
            agent->process().post([agent] { agent->signalled(SIGTERM); });
        }
        break;
    case Fault::KeeperKilled:
        if (agent)
            agent->killKeeper();
        break;
    case Fault::UserRestarts: m_lead->restart(); break;
    case Fault::UserStops: m_lead->stop(false); break;
    case Fault::UserStopsNow:
        m_lead->stop(false);
        m_world.time.after(m_random.between(0, 3 * Second), [this] { m_lead->stop(true); });
        break;
    case Fault::UserSignals: m_lead->userSignals(m_random); break;
    case Fault::LeadKilled:
        m_isLeadKilled = true;
        m_lead->kill();
        break;
    case Fault::LeadStopped:
        m_lead->process().stopUntil(std::min(m_world.time.now() + length, scenario.healedAt));
        m_world.longestAbsence += length;
        break;
    case Fault::PlacesTaken: m_lead->takePlaces(); break;
    default: break;
    }
}

/// What can happen to an agent that has no lead.
void Run::alone()
{
    const auto agent = m_agent;
    if (!agent->isAlive())
        return;
    const int what = static_cast<int>(m_random.between(0, 5));
    agent->process().post([this, agent, what] {
        const Scenario& scenario = m_world.scenario;
        if (what == 0 && scenario.has(Fault::KeeperKilled))
            agent->killKeeper();
        if (what == 1 && scenario.has(Fault::UserRestarts))
            agent->execute(1, RestartGroup{});
        if (what == 2 && scenario.has(Fault::UserStops)) {
            ++m_world.stopsAsked;
            agent->execute(1, StopRun{});
        }
        if (what == 3 && scenario.has(Fault::UserStopsNow)) {
            ++m_world.stopsAsked;
            agent->execute(1, StopRun{});
            m_world.time.after(m_random.between(0, Second), [agent] {
                if (agent->isAlive())
                    agent->process().post([agent] { agent->execute(1, StopRun{.now = true}); });
            });
        }
        if (what == 4 && scenario.has(Fault::AgentSignalled)) {
            ++m_world.agentsSignalled;
            agent->signalled(SIGINT);
            m_world.time.after(m_random.between(0, Second), [agent] {
                if (agent->isAlive())
                    agent->process().post([agent] { agent->signalled(SIGTERM); });
            });
        }
    });
}

void Run::checkEnd()
{
    if (m_world.workersRunning != 0)
        m_world.violated(std::to_string(m_world.workersRunning) +
                         " workers still run, and all is over");
    if (m_agent) {
        const RunState state = m_agent->endState();
        if (state == RunState::Failed)
            checkFailure(m_agent->endReason());
        return;
    }
    if (m_isLeadKilled && !m_lead->end())
        return;
    if (*m_lead->end() == RunState::Stopped && m_world.stopsAsked + m_world.agentsSignalled == 0)
        m_world.violated("a run was stopped though nobody asked for it");
    if (*m_lead->end() == RunState::Failed)
        checkFailure(m_lead->reason());
}

/// A failure needs a cause that has happened.
void Run::checkFailure(const Message& reason)
{
    const Scenario& scenario = m_world.scenario;
    const auto needed = static_cast<size_t>(scenario.maxRestarts) + 1;
    const bool isBudgetSpent =
        m_world.failedAttempts.size() + static_cast<size_t>(m_world.placesTaken) >= needed;
    if (m_world.couldNotStart > 0 || isBudgetSpent)
        return;
    if (scenario.hosts - m_world.hostsLostForGood < scenario.min)
        return;
    if (reason.code == code::RendezvousTimedOut && scenario.joinTimeout < 600 * Second)
        return;
    m_world.violated("the run failed without a cause: " + describe(reason));
}

Outcome Run::outcome() const
{
    Outcome outcome{
        .trace = m_world.told, .fingerprint = m_world.fingerprint, .endedAt = m_world.time.now()};
    if (m_lead && m_lead->end())
        outcome.end = nameOf(*m_lead->end());
    else if (m_agent)
        outcome.end = nameOf(m_agent->endState());
    else
        outcome.end = "lead killed";
    return outcome;
}

} // namespace

Outcome simulate(std::uint64_t seed, bool tracing)
{
    const Scenario scenario(seed);
    Run run(scenario, tracing);
    std::string violation;
    try {
        run.go();
    } catch (const Violation& seen) {
        violation = seen.what;
    }
    Outcome outcome = run.outcome();
    outcome.violation = violation;
    return outcome;
}

} // namespace ringmaster::simulation
