#include "tests/simulation/Run.h"

#include "engine/event/States.h"
#include "tests/simulation/EndClaims.h"
#include "tests/simulation/SimulatedStore.h"
#include "tests/simulation/SimulatedTorchrun.h"

#include <algorithm>
#include <csignal>
#include <map>

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
    void noticeEnd();
    void incident();
    void startAgents();
    void startAgent(int host, bool isTorchrun);
    void returnsAt(int host, std::int64_t when);
    void startLead(std::uint64_t generation, SimulatedLead::Record record);
    void leadKilled();
    void takeOver();
    void secondLead(std::int64_t length);
    SimulatedLead& anyLead();
    bool isAnyLeadAlive() const;
    std::int64_t longest() const;
    Network::Whose anyWay()
    {
        using Whose = Network::Whose;
        return !m_world.scenario.has(Fault::SecondLead) || m_random.chance(40) ? Whose::All
               : m_random.chance(50)                                           ? Whose::OneLead
                                     : Whose::TheOtherLead;
    }
    void toTorchrun(Fault fault, int host, std::int64_t until);
    void toAgent(Fault fault, const std::shared_ptr<SimulatedAgent>& agent);
    std::vector<Fault> possibleFaults() const;
    int anyHost() { return static_cast<int>(m_random.between(1, m_world.scenario.hosts)); }
    bool isAnybodyAlive() const;

    World m_world;
    Program m_program;
    SharedStore m_store;                     ///< Of a c10d rendezvous.
    SharedPlace m_place{m_network, m_store}; ///< Agents leave it before it goes.
    Network m_network;
    std::vector<std::unique_ptr<SimulatedTorchrun>> m_torchruns;
    std::vector<std::unique_ptr<SimulatedLead>> m_leads; ///< Each took over from the one before.
    SimulatedLead* m_lead = nullptr;                     ///< The last.
    Random m_random;
    Random m_returns;           ///< Of hosts.
    bool m_isTakenOver = false; ///< Or will be: nothing is at its end yet.
    bool m_isEnding = false;
    std::map<int, std::int64_t> m_steadyFrom; ///< A host that was cut off for a short while.
    int m_agentsToStart = 0;
    std::int64_t m_limit = 0;
};

Run::Run(const Scenario& scenario, bool tracing)
    : m_world(scenario, tracing)
    , m_program(m_world)
    , m_store(m_world)
    , m_network(m_world, m_program)
    , m_random(scenario.seed * 0xaf251af3b0f025b5U + 4)
    , m_returns(scenario.seed * 0x94d049bb133111ebU + 5)
{
}

bool Run::isAnyLeadAlive() const
{
    return std::ranges::any_of(m_leads, [](const auto& lead) { return lead->process().isAlive(); });
}

bool Run::isAnybodyAlive() const
{
    const auto isAlive = [](const auto& agent) { return agent->isAlive(); };
    return isAnyLeadAlive() || m_isTakenOver || m_agentsToStart > 0 ||
           std::ranges::any_of(m_network.agents(), isAlive) ||
           std::ranges::any_of(m_torchruns, isAlive);
}

void Run::go()
{
    const Scenario& scenario = m_world.scenario;
    if (scenario.isLed) {
        startLead(1, {});
    } else {
        startAgents();
    }
    for (int number = 0; number < scenario.incidents; ++number) {
        const std::int64_t when = m_random.between(Second, scenario.healedAt);
        if (!scenario.leftOut.contains(number))
            m_world.time.at(when, [this] { incident(); });
    }
    m_limit = scenario.healedAt + longest();
    while (isAnybodyAlive()) {
        if (!m_world.time.step())
            m_world.violated("somebody waits, and nothing will happen any more");
        noticeEnd();
        if (m_world.time.now() > m_limit)
            m_world.violated("the run doesn't end");
    }
    EndClaims(m_world, m_network.agents(), m_torchruns, m_lead).check();
}

/// All that is allowed to take time, one after the other, and as much again.
std::int64_t Run::longest() const
{
    const Scenario& scenario = m_world.scenario;
    return 2 * ((scenario.doMeet() ? 400 * Second : 0) + scenario.joinTimeout +
                scenario.leadTimeout + 4 * scenario.grace + scenario.lastCall +
                (scenario.maxRestarts + 3) * (scenario.work + scenario.grace + 100 * Second));
}

void Run::startLead(std::uint64_t generation, SimulatedLead::Record record)
{
    m_world.newestLead = generation;
    m_leads.push_back(
        std::make_unique<SimulatedLead>(m_world, m_network, generation, std::move(record)));
    m_lead = m_leads.back().get();
    m_lead->start();
}

void Run::leadKilled()
{
    if (!m_lead->process().isAlive())
        return;
    m_lead->kill();
    if (!m_world.scenario.has(Fault::Takeover))
        return;
    m_isTakenOver = true;
    const std::int64_t soon = m_random.chance(70) ? 15 * Second : 90 * Second;
    m_world.time.after(m_random.between(Second / 10, soon), [this] { takeOver(); });
}

/// What the agents had said last may not have been kept.
void Run::takeOver()
{
    SimulatedLead::Record record = m_lead->record();
    if (record.empty())
        return;
    for (std::int64_t lost = m_random.between(0, 4); lost > 0 && record.back().id.agent != "0";
         --lost)
        record.pop_back();
    m_world.trace("network", 0, "another lead takes over");
    ++m_world.obstacles;
    m_isTakenOver = false;
    m_isEnding = false;
    m_limit = std::max(m_world.time.now(), m_world.scenario.healedAt) + longest();
    startLead(m_lead->generation() + 1, std::move(record));
}

/// Its process may stand still meanwhile, or its machine be somewhere else.
void Run::secondLead(std::int64_t length)
{
    if (m_isTakenOver || !m_lead->process().isAlive() || m_leads.size() > 3)
        return;
    if (m_random.chance(50))
        m_lead->process().stopUntil(m_world.time.now() + length);
    takeOver();
}

SimulatedLead& Run::anyLead()
{
    if (!m_world.scenario.has(Fault::SecondLead))
        return *m_lead;
    return *m_leads[static_cast<size_t>(
        m_random.between(0, static_cast<std::int64_t>(m_leads.size()) - 1))];
}

/// By hand, on one host after the other.
void Run::startAgents()
{
    const Scenario& scenario = m_world.scenario;
    m_agentsToStart = scenario.hosts;
    for (int host = 1; host <= scenario.hosts; ++host) {
        m_world.time.after(host == 1 ? 0 : m_random.between(0, 5 * Second), [this, host] {
            startAgent(host, m_world.scenario.hasTorchruns && m_random.chance(50));
        });
    }
}

void Run::startAgent(int host, bool isTorchrun)
{
    --m_agentsToStart;
    const int start = ++m_world.startsOf[host];
    if (isTorchrun) {
        m_torchruns.push_back(
            std::make_unique<SimulatedTorchrun>(m_world, m_program, host, m_place));
        return m_torchruns.back()->process().post(
            [agent = m_torchruns.back().get()] { agent->start(); });
    }
    SharedPlace* shared = m_world.scenario.doMeet() ? &m_place : nullptr;
    const std::string id = std::to_string(host) + (start > 1 ? "." + std::to_string(start) : "");
    const auto agent = std::make_shared<SimulatedAgent>(m_world, m_program, host, id, 1, shared);
    m_network.add(agent);
    agent->process().post([agent = agent.get()] { agent->start(); });
}

/// The same command again, by hand. Not where the store was: its group is no more.
void Run::returnsAt(int host, std::int64_t when)
{
    const bool wasStarted = m_world.startsOf.contains(host);
    if (!m_world.scenario.doHostsReturn || !wasStarted || host == 1)
        return;
    ++m_agentsToStart;
    m_world.time.at(when + m_returns.between(0, 20 * Second), [this, host] {
        const bool isTorchrun = std::ranges::any_of(
            m_torchruns, [host](const auto& torchrun) { return torchrun->host() == host; });
        const bool isThere = m_network.runningAgent(host) ||
                             std::ranges::any_of(m_torchruns, [host](const auto& torchrun) {
                                 return torchrun->host() == host && torchrun->isAlive();
                             });
        if (isThere || m_network.isDown(host)) // again
            --m_agentsToStart;
        else
            startAgent(host, isTorchrun);
    });
}

/// Once it has to end, it does so soon.
void Run::noticeEnd()
{
    const bool isEnding =
        m_lead && !m_isTakenOver && std::ranges::all_of(m_leads, [](const auto& lead) {
            return lead->isEnding() || !lead->process().isAlive();
        });
    if (!isEnding || std::exchange(m_isEnding, true))
        return;
    const Scenario& scenario = m_world.scenario;
    const std::int64_t from = std::max(m_world.time.now(), scenario.healedAt);
    m_limit = from + scenario.leadTimeout + 4 * scenario.grace + 90 * Second;
}

std::vector<Fault> Run::possibleFaults() const
{
    std::vector<Fault> faults{Fault::Cut,          Fault::CutOneWay,    Fault::HostCrash,
                              Fault::AgentKilled,  Fault::AgentStopped, Fault::AgentSignalled,
                              Fault::KeeperKilled, Fault::UserRestarts, Fault::UserStops,
                              Fault::UserStopsNow};
    if (m_lead)
        faults.insert(faults.end(), {Fault::UserSignals, Fault::LeadKilled, Fault::LeadStopped,
                                     Fault::LinkBreaks, Fault::PlacesTaken, Fault::PlaceTaken,
                                     Fault::JobCancelled, Fault::SecondLead});
    std::erase_if(faults, [this](Fault fault) { return !m_world.scenario.has(fault); });
    return faults;
}

/// Something that people, cables or kernels do.
void Run::incident()
{
    const Scenario& scenario = m_world.scenario;
    const std::vector<Fault> possible = possibleFaults();
    if (possible.empty() || m_world.isHealed())
        return;
    const Fault fault = possible[static_cast<size_t>(
        m_random.between(0, static_cast<std::int64_t>(possible.size()) - 1))];
    const int host = anyHost();
    std::int64_t length = m_random.chance(60) ? m_random.between(Millisecond, 12 * Second)
                                              : m_random.between(Second, 120 * Second);
    if (scenario.areCutsShort) {
        std::int64_t& steadyFrom = m_steadyFrom[host];
        if (m_world.time.now() < steadyFrom)
            return;
        length = std::min(length, scenario.bearable());
        steadyFrom = m_world.time.now() + length + scenario.patience + 10 * Second;
    }
    const std::int64_t until = std::min(m_world.time.now() + length, scenario.healedAt);
    const auto agent = m_network.runningAgent(host);
    switch (fault) {
    case Fault::Cut: return m_network.cut(host, true, true, length, anyWay());
    case Fault::CutOneWay: {
        const bool isToHost = m_random.chance(50);
        return m_network.cut(host, isToHost, !isToHost, length, anyWay());
    }
    case Fault::HostCrash:
        toTorchrun(fault, host, until);
        if (const auto back = m_network.crash(host, length))
            returnsAt(host, *back);
        return;
    case Fault::AgentStopped:
        if (!agent)
            return toTorchrun(fault, host, until);
        m_world.trace("network", 0, "agent ", agent->id(), " stands still for ",
                      length / Millisecond, " ms");
        ++m_world.obstacles;
        return agent->process().stopUntil(until);
    case Fault::AgentKilled:
    case Fault::AgentSignalled:
    case Fault::KeeperKilled:
        agent ? toAgent(fault, agent) : toTorchrun(fault, host, until);
        return;
    default: break;
    }
    if (!m_lead) {
        if (agent)
            toAgent(fault, agent);
        return;
    }
    switch (fault) {
    case Fault::UserRestarts: return m_lead->restart();
    case Fault::UserStops: return m_lead->stop(false);
    case Fault::UserStopsNow:
        m_lead->stop(false);
        return m_world.time.after(m_random.between(0, 3 * Second), [this] { m_lead->stop(true); });
    case Fault::UserSignals: return m_lead->userSignals(m_random);
    case Fault::LeadKilled: return leadKilled();
    case Fault::LeadStopped:
        m_world.trace("network", 0, "the lead stands still for ", length / Millisecond, " ms");
        ++m_world.obstacles;
        return anyLead().process().stopUntil(until);
    case Fault::LinkBreaks: return anyLead().breakLink(host);
    case Fault::SecondLead: return secondLead(until - m_world.time.now());
    case Fault::PlacesTaken: return m_lead->takePlaces(false);
    case Fault::PlaceTaken: return m_lead->takePlace(host);
    case Fault::JobCancelled: return m_lead->takePlaces(true);
    default: break;
    }
}

void Run::toTorchrun(Fault fault, int host, std::int64_t until)
{
    for (const auto& torchrun : m_torchruns) {
        if (torchrun->host() != host || !torchrun->isAlive())
            continue;
        if (fault == Fault::KeeperKilled)
            return torchrun->killKeeper();
        if (fault != Fault::AgentStopped)
            return torchrun->kill();
        ++m_world.obstacles;
        torchrun->process().stopUntil(until);
    }
}

/// What is done to one agent; by its user, if it has no lead.
void Run::toAgent(Fault fault, const std::shared_ptr<SimulatedAgent>& agent)
{
    const auto post = [this, agent](std::int64_t most, std::function<void()> task) {
        m_world.time.after(m_random.between(0, most), [agent, task] {
            if (agent->isAlive())
                agent->process().post(task);
        });
    };
    const auto raw = agent.get();
    switch (fault) {
    case Fault::AgentKilled: return agent->kill();
    case Fault::KeeperKilled: return agent->killKeeper();
    case Fault::AgentSignalled:
        ++m_world.agentsSignalled;
        m_world.hostsAskedToEnd.insert(agent->host());
        post(0, [raw] { raw->signalled(SIGINT); });
        if (m_random.chance(40))
            post(Second, [raw] { raw->signalled(SIGTERM); });
        return;
    case Fault::UserRestarts:
        ++m_world.restartsAsked;
        return post(0, [raw] { raw->execute(1, RestartGroup{}); });
    case Fault::UserStops:
    case Fault::UserStopsNow:
        ++m_world.stopsAsked;
        m_world.hostsAskedToEnd.insert(agent->host());
        post(0, [raw] { raw->execute(1, StopRun{}); });
        if (fault == Fault::UserStopsNow)
            post(Second, [raw] { raw->execute(1, StopRun{.now = true}); });
        return;
    default: break;
    }
}

Outcome Run::outcome() const
{
    Outcome outcome{.fingerprint = m_world.fingerprint.value(), .endedAt = m_world.time.now()};
    if (m_lead && m_lead->end())
        outcome.end = nameOf(*m_lead->end());
    else if (m_lead)
        outcome.end = "lead killed";
    else
        outcome.end = m_world.scenario.hasTorchruns ? "torchruns"
                      : m_world.scenario.isC10d     ? "c10d"
                      : m_world.scenario.isStatic   ? "static"
                                                    : nameOf(m_network.agents()[0]->endState());
    return outcome;
}

} // namespace

Outcome simulate(const Scenario& scenario, bool tracing)
{
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
