#include "tests/simulation/EndClaims.h"

#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/States.h"
#include "engine/rendezvous/Codes.h"
#include "engine/store/Codes.h"
#include "tests/simulation/Cause.h"

#include <algorithm>
#include <set>
#include <string>

namespace ringmaster::simulation {

bool EndClaims::hasAnybodyJoinedTooLate() const
{
    return std::ranges::any_of(m_agents, [this](const auto& agent) {
        if (!agent->hasRecord())
            return false;
        const Code reason = agent->endReason().code;
        // Without c10d, whoever is there waits for what the others write.
        return reason == code::RendezvousTimedOut ||
               (!m_world.scenario.isC10d && reason == code::StoreKeyMissing);
    });
}

/// Of which one on this host may have heard before its own end.
bool EndClaims::hasAnotherEnded(int host, std::int64_t before) const
{
    return std::ranges::any_of(m_world.ends, [host, before](const auto& end) {
        return end.first != host && end.second <= before;
    });
}

/// Of one that met others: each reason is held against what has happened of its kind.
bool EndClaims::hasCause(const SimulatedAgent& agent) const
{
    const Scenario& scenario = m_world.scenario;
    const int host = agent.host();
    const bool isDisturbed = hasAnotherEnded(host, agent.endedAt()) || m_world.obstacles > 0;
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

/// The same of torchrun's. Whoever fails closes the rendezvous for all, so that must not be ours
/// without a cause.
bool EndClaims::hasCause(const SimulatedTorchrun& torchrun) const
{
    const int host = torchrun.host();
    if (torchrun.hasFailedOfWorkers())
        return failuresOf(torchrun.node()) > m_world.scenario.maxRestarts ||
               m_world.hostsNotStarted.contains(host);
    return hasAnotherEnded(host, torchrun.endedAt()) || m_world.obstacles > 0 ||
           m_world.scenario.joinTimeout < 600 * Second;
}

int EndClaims::failuresOf(int node) const
{
    return static_cast<int>(std::ranges::count_if(
        m_world.failedAttempts, [node](const auto& attempt) { return attempt.first == node; }));
}

/// One that had no lead.
void EndClaims::checkAgent(const SimulatedAgent& agent) const
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
void EndClaims::checkOnlyFailures() const
{
    const auto failures = m_world.failedAttempts.size();
    const auto budget = static_cast<size_t>(m_world.scenario.maxRestarts);
    const bool isOver = failures > budget;
    const RunState end = m_lead ? *m_lead->end() : m_agents[0]->endState();
    if (end != (isOver ? RunState::Failed : RunState::Succeeded))
        m_world.violated("workers failed " + std::to_string(failures) + " times of " +
                         std::to_string(budget) + " that the job bears, and it has " +
                         std::string(nameOf(end)));
    if (m_world.chargedAttempts.size() != std::min(failures, budget))
        m_world.violated("other failures were charged than there were");
    if (m_world.rounds.size() != failures + (isOver ? 0 : 1))
        m_world.violated("there were other rounds than those that failures explain");
}

void EndClaims::checkTorchrun(const SimulatedTorchrun& torchrun) const
{
    if (torchrun.hasFailed() && !hasCause(torchrun))
        m_world.violated("torchrun's agent on host " + std::to_string(torchrun.host()) +
                         " failed of what hadn't happened: " + torchrun.why());
}

/// A c10d group that needs all its nodes, which nobody and nothing kept from what they do, and of
/// which none failed more often than it may. Where some of a round finish and others fail, these
/// can't begin anew, as with torchrun.
bool EndClaims::areOnlyWorkersWithinLimits() const
{
    const Scenario& scenario = m_world.scenario;
    const int disturbances = m_world.obstacles + m_world.agentsKilled + m_world.couldNotStart +
                             m_world.unkillable + m_world.restartsAsked + m_world.stopsAsked +
                             m_world.agentsSignalled;
    if (!scenario.isC10d || scenario.hosts != scenario.min || scenario.joinTimeout < 600 * Second ||
        disturbances > 0 || m_world.hasAnyRoundSucceededInPart())
        return false;
    for (int host = 1; host <= scenario.hosts; ++host)
        if (failuresOf(host) > scenario.maxRestarts)
            return false;
    return true;
}

/// Then it has to succeed, torchrun's agents as well, and only failures make new rounds.
void EndClaims::checkWithinLimits() const
{
    if (!areOnlyWorkersWithinLimits())
        return;
    const auto failures = m_world.failedAttempts.size();
    const std::string limits = ", and workers failed " + std::to_string(failures) +
                               " times, on no host more often than the " +
                               std::to_string(m_world.scenario.maxRestarts) + " that it bears";
    for (const auto& agent : m_agents)
        if (agent->endState() != RunState::Succeeded)
            m_world.violated("agent " + agent->id() + " failed (" + describe(agent->endReason()) +
                             ")" + limits);
    for (const auto& torchrun : m_torchruns)
        if (!torchrun->hasSucceeded())
            m_world.violated("torchrun's agent on host " + std::to_string(torchrun->host()) +
                             " failed (" + torchrun->why() + ")" + limits);
    if (m_world.rounds.size() > failures + 1)
        m_world.violated("there were " + std::to_string(m_world.rounds.size()) + " rounds" +
                         limits);
}

/// Each round after the first has a cause.
void EndClaims::checkRounds() const
{
    const Scenario& scenario = m_world.scenario;
    // One of torchrun's that is a spare for a while, since its host is back before it was missed,
    // stays on the list of those that wait, and all restart again and again.
    if (scenario.hasTorchruns && (scenario.doHostsReturn || m_agents.empty()))
        return;
    const size_t causes =
        static_cast<size_t>(scenario.incidents + m_world.obstacles) + m_world.failedAttempts.size();
    if (m_world.rounds.size() > 5 + 2 * static_cast<size_t>(scenario.hosts) + 3 * causes)
        m_world.violated("the group restarted again and again");
}

void EndClaims::check() const
{
    checkRounds();
    if (m_world.workersRunning != m_world.unkillableRunning)
        m_world.violated(std::to_string(m_world.workersRunning) +
                         " workers still run, and all is over");
    if (m_lead != nullptr)
        return checkLead();
    if (m_agents.empty())
        return; // all of them are torchrun's
    for (const auto& torchrun : m_torchruns)
        checkTorchrun(*torchrun);
    for (const auto& agent : m_agents)
        if (agent->hasRecord())
            checkAgent(*agent);
    checkWithinLimits();
    if (m_world.scenario.doOnlyWorkersFail)
        checkOnlyFailures();
}

void EndClaims::checkLead() const
{
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
bool EndClaims::hasCause(const Message& reason) const
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
void EndClaims::checkFailure(const Message& reason) const
{
    if (reason.code == code::RendezvousTimedOut) {
        if (std::stoi(reason.parameters.at("present")) >= std::stoi(reason.parameters.at("needed")))
            m_world.violated("a run gave up though enough hosts were there");
    }
    if (!hasCause(reason))
        m_world.violated("the run failed without a cause: " + describe(reason));
}

} // namespace ringmaster::simulation
