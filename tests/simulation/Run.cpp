#include "tests/simulation/Run.h"

#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
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

/// Of what kind a reason is that somebody has failed for.
enum class Cause { Start, Begin, Survivor, Workers, Join, Place, LeftOut, Other };

Cause causeOf(Code reason)
{
    static const std::map<Code, Cause> Causes{{code::DiskFull, Cause::Start},
                                              {code::FileNotReadable, Cause::Start},
                                              {code::HostCannotBegin, Cause::Begin},
                                              {code::SurvivorInKernel, Cause::Survivor},
                                              {code::WorkersSurvive, Cause::Survivor},
                                              {code::HostWorkersFailed, Cause::Workers},
                                              {code::WorkerExitedWithCode, Cause::Workers},
                                              {code::WorkerEndedBySignal, Cause::Workers},
                                              {code::RankEndedByUser, Cause::Workers},
                                              {code::FirstCauseUnsure, Cause::Workers},
                                              {code::KeeperLost, Cause::Workers},
                                              {code::RendezvousTimedOut, Cause::Join},
                                              {code::PlaceTakenBack, Cause::Place},
                                              {code::NeededHostFailedTooOften, Cause::LeftOut}};
    const auto found = Causes.find(reason);
    return found != Causes.end() ? found->second : Cause::Other;
}

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
    void checkAgent(const SimulatedAgent& agent);
    bool hasAnybodyJoinedTooLate() const;
    bool hasAnotherEnded(const SimulatedAgent& agent) const;
    bool hasCause(const SimulatedAgent& agent) const;
    int failuresOf(int node) const;
    bool hasCause(const Message& reason) const;
    int anyHost() { return static_cast<int>(m_random.between(1, m_world.scenario.hosts)); }
    bool isAnybodyAlive() const;
    void checkOnlyFailures();
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

bool Run::hasAnybodyJoinedTooLate() const
{
    return std::ranges::any_of(m_network.agents(), [](const auto& agent) {
        return agent->hasRecord() && agent->endReason().code == code::RendezvousTimedOut;
    });
}

/// Whose end the agent may have heard of before its own.
bool Run::hasAnotherEnded(const SimulatedAgent& agent) const
{
    return std::ranges::any_of(m_world.ends, [&agent](const auto& end) {
        return end.first != agent.host() && end.second <= agent.endedAt();
    });
}

/// Of one that met others: each reason is held against what has happened of its kind.
bool Run::hasCause(const SimulatedAgent& agent) const
{
    const Scenario& scenario = m_world.scenario;
    const int host = agent.host();
    const bool isDisturbed = hasAnotherEnded(agent) || m_world.obstacles > 0;
    switch (causeOf(agent.endReason().code)) {
    case Cause::Start: return m_world.hostsNotStarted.contains(host);
    case Cause::Survivor: return m_world.hostsUnkillable.contains(host);
    case Cause::Workers: {
        const int failures = failuresOf(agent.node());
        // What its workers failed of stays the reason when it can't go on for another one.
        return failures > scenario.maxRestarts ||
               (failures > 0 &&
                (isDisturbed || scenario.joinTimeout < 600 * Second ||
                 m_world.hostsNotStarted.contains(host) || m_world.hostsUnkillable.contains(host)));
    }
    case Cause::Join: return isDisturbed || scenario.joinTimeout < 600 * Second;
    case Cause::Begin:
    case Cause::Place:
    case Cause::LeftOut:
    case Cause::Other: break;
    }
    return isDisturbed; // it was the others, or the way to them
}

int Run::failuresOf(int node) const
{
    return static_cast<int>(std::ranges::count_if(
        m_world.failedAttempts, [node](const auto& attempt) { return attempt.first == node; }));
}

/// One that had no lead.
void Run::checkAgent(const SimulatedAgent& agent)
{
    const RunState state = agent.endState();
    const bool isAnybodyAsked = m_world.stopsAsked + m_world.agentsSignalled > 0;
    if (state == RunState::Stopped && !m_world.hostsAskedToEnd.contains(agent.host()))
        m_world.violated("a run was stopped though nobody asked for it");
    if (!m_world.scenario.doMeet()) {
        if (state == RunState::Failed)
            checkFailure(agent.endReason());
        if (state == RunState::Succeeded && !m_world.hasAnyRoundSucceeded())
            m_world.violated("a run succeeded though its workers did not");
        return;
    }
    if (state == RunState::Failed && !hasCause(agent))
        m_world.violated("an agent failed of what hadn't happened: " + describe(agent.endReason()));
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

/// Then what has failed says what has to happen.
void Run::checkOnlyFailures()
{
    const auto failures = m_world.failedAttempts.size();
    const auto budget = static_cast<size_t>(m_world.scenario.maxRestarts);
    const bool isOver = failures > budget;
    const RunState end = m_lead ? *m_lead->end() : m_network.agents()[0]->endState();
    if (end != (isOver ? RunState::Failed : RunState::Succeeded))
        m_world.violated("workers failed " + std::to_string(failures) + " times of " +
                         std::to_string(budget) + " that the job bears, and it has " +
                         std::string(nameOf(end)));
    if (m_world.chargedAttempts.size() != std::min(failures, budget))
        m_world.violated("other failures were charged than there were");
    if (m_world.rounds.size() != failures + (isOver ? 0 : 1))
        m_world.violated("there were other rounds than those that failures explain");
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
        if (m_world.scenario.doOnlyWorkersFail)
            checkOnlyFailures();
        return;
    }
    if (!m_lead->end())
        return; // it was killed
    if (m_world.scenario.doOnlyWorkersFail)
        checkOnlyFailures();
    if (m_world.scenario.areCutsShort &&
        (m_world.rounds.size() != 1 || *m_lead->end() != RunState::Succeeded))
        m_world.violated("a host was cut off for less than the job bears, and that was seen");
    const Code why = m_lead->reason().code;
    const int asked = why == code::UserStopped      ? m_world.stopsAsked
                      : why == code::SignalReceived ? m_world.agentsSignalled
                                                    : 0;
    if (*m_lead->end() == RunState::Stopped && asked == 0)
        m_world.violated("a run was stopped though nobody asked for it: " +
                         describe(m_lead->reason()));
    if (*m_lead->end() == RunState::Failed)
        checkFailure(m_lead->reason());
}

/// Of a run: each reason is held against what has happened of its kind.
bool Run::hasCause(const Message& reason) const
{
    const Scenario& scenario = m_world.scenario;
    std::set<int> without = m_world.hostsLost;
    without.insert(m_world.hostsLeftOut.begin(), m_world.hostsLeftOut.end());
    const bool areTooFew = scenario.hosts - static_cast<int>(without.size()) < scenario.min;
    const bool isBudgetSpent =
        m_world.failedAttempts.size() + static_cast<size_t>(m_world.placesTaken) >
        static_cast<size_t>(scenario.maxRestarts);
    switch (causeOf(reason.code)) {
    case Cause::Start: return m_world.couldNotStart > 0;
    case Cause::Begin: {
        // A lead that was replaced may have given up, and told so, before it knew.
        const std::string_view given = englishTemplate(code::RendezvousTimedOut);
        const bool hasGivenUp =
            reason.parameters.at("reason").starts_with(given.substr(0, given.find('{')));
        return areTooFew || (hasGivenUp && scenario.has(Fault::SecondLead) &&
                             scenario.joinTimeout < 600 * Second);
    }
    case Cause::Survivor: return m_world.unkillable > 0;
    case Cause::Workers:
        // An agent that has to end for another reason says what its workers had failed of.
        return isBudgetSpent ||
               (!m_world.failedAttempts.empty() && m_world.unkillable + m_world.couldNotStart > 0);
    case Cause::Join:
        // Where a worker can't be killed, the agent of its host has ended.
        return areTooFew || m_world.unkillable > 0 ||
               (scenario.joinTimeout < 600 * Second &&
                m_world.obstacles + m_world.agentsKilled > 0);
    case Cause::Place:
        return areTooFew || m_world.isJobCancelled || (m_world.placesTaken > 0 && isBudgetSpent);
    case Cause::LeftOut: return areTooFew && !m_world.hostsLeftOut.empty();
    case Cause::Other: break;
    }
    return areTooFew;
}

/// A failure needs a cause that has happened.
void Run::checkFailure(const Message& reason)
{
    if (reason.code == code::RendezvousTimedOut) {
        if (std::stoi(reason.parameters.at("present")) >= std::stoi(reason.parameters.at("needed")))
            m_world.violated("a run gave up though enough hosts were there");
    }
    if (!hasCause(reason))
        m_world.violated("the run failed without a cause: " + describe(reason));
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
