#include "tests/simulation/Run.h"

#include "engine/agent/Codes.h"
#include "engine/event/States.h"
#include "engine/lead/Codes.h"
#include "engine/node/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"
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
    void checkAgent(const SimulatedAgent& agent);
    bool hasAnybodyJoinedTooLate() const;
    int anyHost() { return static_cast<int>(m_random.between(1, m_world.scenario.hosts)); }
    bool isAnybodyAlive() const;
    void checkEnd();
    void checkFailure(const Message& reason);

    World m_world;
    Program m_program;
    SharedStore m_store;                     ///< Of a c10d rendezvous.
    SharedPlace m_place{m_network, m_store}; ///< Agents leave it before it goes.
    Network m_network;
    std::vector<std::unique_ptr<SimulatedTorchrun>> m_torchruns;
    std::vector<std::unique_ptr<SimulatedLead>> m_leads; ///< Each took over from the one before.
    SimulatedLead* m_lead = nullptr;                     ///< The last.
    Random m_random;
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
    for (int number = 0; number < scenario.incidents; ++number)
        m_world.time.at(m_random.between(Second, scenario.healedAt), [this] { incident(); });
    m_limit = scenario.healedAt + longest();
    while (isAnybodyAlive()) {
        if (!m_world.time.step())
            m_world.violated("somebody waits, and nothing will happen any more");
        noticeEnd();
        if (m_world.time.now() > m_limit)
            m_world.violated("the run doesn't end");
    }
    checkEnd();
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
            SharedPlace* shared = m_world.scenario.doMeet() ? &m_place : nullptr;
            if (m_world.scenario.hasTorchruns && m_random.chance(50)) {
                --m_agentsToStart;
                m_torchruns.push_back(
                    std::make_unique<SimulatedTorchrun>(m_world, m_program, host, m_place));
                return m_torchruns.back()->process().post(
                    [agent = m_torchruns.back().get()] { agent->start(); });
            }
            const auto agent = std::make_shared<SimulatedAgent>(m_world, m_program, host,
                                                                std::to_string(host), 1, shared);
            m_network.add(agent);
            --m_agentsToStart;
            agent->process().post([agent = agent.get()] { agent->start(); });
        });
    }
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
    case Fault::HostCrash: toTorchrun(fault, host, until); return m_network.crash(host, length);
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
        post(0, [raw] { raw->execute(1, StopRun{}); });
        if (fault == Fault::UserStopsNow)
            post(Second, [raw] { raw->execute(1, StopRun{.now = true}); });
        return;
    default: break;
    }
}

bool Run::hasAnybodyJoinedTooLate() const
{
    return std::ranges::any_of(m_network.agents(), [](const auto& agent) {
        return agent->hasRecord() && agent->endReason().code == code::RendezvousTimedOut;
    });
}

/// One that had no lead.
void Run::checkAgent(const SimulatedAgent& agent)
{
    const RunState state = agent.endState();
    const bool isAnybodyAsked = m_world.stopsAsked + m_world.agentsSignalled > 0;
    if (state == RunState::Stopped && !isAnybodyAsked)
        m_world.violated("a run was stopped though nobody asked for it");
    if (!m_world.scenario.doMeet()) {
        if (state == RunState::Failed)
            checkFailure(agent.endReason());
        if (state == RunState::Succeeded && !m_world.hasAnyRoundSucceeded())
            m_world.violated("a run succeeded though its workers did not");
        return;
    }
    const Scenario& scenario = m_world.scenario;
    const int slow = scenario.delay >= Second ? 1 : 0; // which is nothing that happens
    const bool hasAnythingHappened =
        isAnybodyAsked || !m_world.failedAttempts.empty() || m_world.hasTorchrunFailed ||
        m_world.obstacles + m_world.agentsKilled > slow ||
        m_world.couldNotStart + m_world.unkillable + m_world.restartsAsked > 0;
    // Who isn't needed may find the job at its end, or the store gone with the agent that served
    // it.
    const bool areAllNeeded = scenario.hosts == scenario.min;
    // But a round with room for it begins anew soon.
    const bool isRoom = scenario.hosts <= scenario.max;
    const bool hasWaitedLong =
        isRoom && agent.endReason().code == code::RendezvousClosed && agent.lasted() > 25 * Second;
    // Nodes start up to five seconds apart, and each asks the store a few times until it is in.
    const bool isHurried = scenario.joinTimeout < 5 * Second + 15 * scenario.delay;
    if (isHurried && hasAnybodyJoinedTooLate())
        return;
    // Whoever has finished stays in its round until it leaves, and then closes the rendezvous: as
    // torchrun's agents do, it keeps those that restart from a new round.
    if (m_world.hasAnyRoundFinishedInPart())
        return;
    if (state != RunState::Succeeded && !hasAnythingHappened && (areAllNeeded || hasWaitedLong))
        m_world.violated("an agent failed and nothing had happened: " +
                         describe(agent.endReason()));
}

void Run::checkEnd()
{
    // Each round after the first has a cause.
    const size_t causes = static_cast<size_t>(m_world.scenario.incidents + m_world.obstacles) +
                          m_world.failedAttempts.size();
    if (!m_world.scenario.hasTorchruns &&
        m_world.rounds.size() > 5 + 2 * static_cast<size_t>(m_world.scenario.hosts) + 3 * causes)
        m_world.violated("the group restarted again and again");
    if (m_world.workersRunning != m_world.unkillableRunning)
        m_world.violated(std::to_string(m_world.workersRunning) +
                         " workers still run, and all is over");
    if (m_world.scenario.hasTorchruns && m_network.agents().empty())
        return; // all of them are torchrun's
    if (!m_lead) {
        for (const auto& agent : m_network.agents())
            if (agent->hasRecord())
                checkAgent(*agent);
        return;
    }
    if (!m_lead->end())
        return; // it was killed
    if (m_world.scenario.areCutsShort &&
        (m_world.rounds.size() != 1 || *m_lead->end() != RunState::Succeeded))
        m_world.violated("a host was cut off for less than the job bears, and that was seen");
    if (*m_lead->end() == RunState::Stopped && m_world.stopsAsked + m_world.agentsSignalled == 0)
        m_world.violated("a run was stopped though nobody asked for it");
    if (*m_lead->end() == RunState::Failed)
        checkFailure(m_lead->reason());
}

/// A failure needs a cause that has happened.
void Run::checkFailure(const Message& reason)
{
    const Scenario& scenario = m_world.scenario;
    if (reason.code == code::RendezvousTimedOut) {
        if (std::stoi(reason.parameters.at("present")) >= std::stoi(reason.parameters.at("needed")))
            m_world.violated("a run gave up though enough hosts were there");
    }
    if (reason.code == code::NeededHostFailedTooOften && !m_world.hostsLeftOut.empty())
        return;
    std::set<int> without = m_world.hostsLost;
    without.insert(m_world.hostsLeftOut.begin(), m_world.hostsLeftOut.end());
    const int hostsLeft = scenario.hosts - static_cast<int>(without.size());
    if (hostsLeft < scenario.min || m_world.isJobCancelled)
        return;
    if (reason.code == code::RendezvousTimedOut) {
        if (m_world.unkillable > 0) // the agent of its host has ended
            return;
        if (scenario.joinTimeout < 600 * Second && m_world.obstacles + m_world.agentsKilled > 0)
            return;
    } else if (scenario.has(Fault::SecondLead) && scenario.joinTimeout < 600 * Second) {
        return; // a lead that was replaced may have given up, and told so, before it knew
    } else if (m_world.couldNotStart + m_world.unkillable > 0) {
        return;
    } else {
        const size_t budget = static_cast<size_t>(scenario.maxRestarts);
        if (m_world.failedAttempts.size() + static_cast<size_t>(m_world.placesTaken) > budget)
            return;
    }
    m_world.violated("the run failed without a cause: " + describe(reason));
}

Outcome Run::outcome() const
{
    Outcome outcome{.fingerprint = m_world.fingerprint, .endedAt = m_world.time.now()};
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
