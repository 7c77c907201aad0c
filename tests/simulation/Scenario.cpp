#include "tests/simulation/Scenario.h"

#include <array>

namespace ringmaster::simulation {

std::string nameOf(Fault fault)
{
    static constexpr std::array<const char*, static_cast<size_t>(Fault::Count)> Names{
        "cut",
        "cut one way",
        "link breaks",
        "host crash",
        "host never back",
        "agent killed",
        "agent stopped",
        "agent signalled",
        "keeper killed",
        "worker fails",
        "worker hangs",
        "ignores signal",
        "slow to die",
        "exits well",
        "cannot start",
        "no output",
        "user restarts",
        "user stops",
        "user stops now",
        "user signals",
        "lead killed",
        "lead stopped",
        "places taken",
        "place taken",
        "job cancelled",
        "preparing fails",
        "slow start",
        "unkillable",
        "takeover",
        "second lead"};
    return Names[static_cast<size_t>(fault)];
}

Scenario::Scenario(std::uint64_t number)
    : seed(number), faults(static_cast<size_t>(Fault::Count), false)
{
    Random random(seed * 0x2545f4914f6cdd1dU + 1);
    const int density = static_cast<int>(random.between(0, 3)) * 20;
    for (size_t fault = 0; fault < static_cast<size_t>(Fault::WorkerUnkillable); ++fault)
        faults[fault] = random.chance(density);
    // What ends nearly every run would hide the rest.
    for (const Fault rare :
         {Fault::UserStops, Fault::UserStopsNow, Fault::LeadKilled, Fault::AgentSignalled,
          Fault::WorkerCannotStart, Fault::OutputCannotOpen, Fault::HostNeverBack,
          Fault::PlaceTaken, Fault::JobCancelled, Fault::PreparingFails})
        if (!random.chance(25))
            faults[static_cast<size_t>(rare)] = false;
    isLed = random.chance(80);
    isC10d = !isLed && random.chance(60);
    isSlurm = isLed && random.chance(25);
    for (const Fault slurms : {Fault::PlacesTaken, Fault::PlaceTaken, Fault::JobCancelled})
        if (!isSlurm)
            faults[static_cast<size_t>(slurms)] = false;
    prepares = isLed && random.chance(20);
    isCoupled = random.chance(50);
    hosts = isLed || isC10d ? static_cast<int>(random.between(1, 4)) : 1;
    max = static_cast<int>(random.between(1, hosts));
    min = static_cast<int>(random.between(1, max));
    workers = static_cast<int>(random.between(1, 2));
    maxRestarts = random.chance(30) ? 0 : static_cast<int>(random.between(0, 4));
    grace = random.between(1, 12) * Second;
    leadTimeout = random.between(1, 4) * 15 * Second;
    patience = random.between(2, 5) * Second;
    reconnect = random.chance(50) ? 20 * Second : random.between(6, 35) * Second;
    joinTimeout = random.chance(70) ? 600 * Second : random.between(5, 60) * Second;
    lastCall = random.between(1, 30) * Second;
    restartDelay = random.chance(70) ? 0 : random.between(1, 5) * Second;
    work = random.between(1, 40) * Second;
    delay = random.chance(70) ? random.between(1, 50) * Millisecond : Second;
    healedAt = random.between(20, 150) * Second;
    incidents = static_cast<int>(random.between(0, 12));
    failPercent = random.chance(30) ? 60 : static_cast<int>(random.between(1, 20));
    // Last, so that older seeds mean what they meant.
    faults[static_cast<size_t>(Fault::WorkerUnkillable)] = random.chance(density / 4);
    faults[static_cast<size_t>(Fault::Takeover)] =
        isLed && !isSlurm && has(Fault::LeadKilled) && random.chance(70);
    if (isLed && !isSlurm && random.chance(4) && bearable() > Second)
        haveShortCuts();
    else if (seed > OldKinds)
        haveNewerKind(random);
    if (seed > KeepHosts && isLed && !areCutsShort && random.chance(60)) {
        leaveHostOutAfter = static_cast<int>(random.between(1, 3));
        maxRestarts += 2;
        min = static_cast<int>(random.between(1, min));
    }
    if (seed <= HostsReturn)
        return;
    longestRetry = Second; // as HostAgent's
    areCutsDirected = true;
    doHostsReturn = isC10d && hosts > 1 && random.chance(60);
    if (doHostsReturn) {
        faults[static_cast<size_t>(Fault::HostCrash)] = true;
        incidents += 3;
    }
    if (!doMeet() && !areCutsShort && random.chance(8))
        haveOnlyFailures(random);
}

void Scenario::haveNewerKind(Random& random)
{
    if (isSlurm && random.chance(40))
        faults[static_cast<size_t>(Fault::LeadKilled)] =
            faults[static_cast<size_t>(Fault::Takeover)] = true;
    if (isLed) {
        faults[static_cast<size_t>(Fault::SecondLead)] = !isSlurm && random.chance(40);
        return;
    }
    if (isC10d && random.chance(40)) {
        hasTorchruns = true;
        max = hosts; // else its spares have the others restart again and again,
        lastCall =
            std::max(lastCall, 10 * Second + 12 * delay); // as a last call does that is short
        return;
    }
    isStatic = random.chance(60);
    if (!isStatic)
        return;
    isC10d = false;
    hosts = max = min = static_cast<int>(random.between(1, 4));
}

/// It is reached again: a heartbeat that is due, one that is given up, a way that fails once more,
/// a few messages.
std::int64_t Scenario::bearable() const
{
    return reconnect - patience - 10 * Second - 12 * delay;
}

void Scenario::haveShortCuts()
{
    areCutsShort = true;
    faults.assign(faults.size(), false);
    for (const Fault cut : {Fault::Cut, Fault::CutOneWay, Fault::LinkBreaks})
        faults[static_cast<size_t>(cut)] = true;
    prepares = false;
    min = max = hosts;
    joinTimeout = 600 * Second;
    incidents = 8;
    failPercent = 0;
}

void Scenario::haveOnlyFailures(Random& random)
{
    doOnlyWorkersFail = true;
    faults.assign(faults.size(), false);
    faults[static_cast<size_t>(Fault::WorkerFails)] = true;
    for (const Fault added : {Fault::KeeperKilled, Fault::WorkerIgnoresSignal,
                              Fault::WorkerSlowToDie, Fault::WorkerExitsWell})
        faults[static_cast<size_t>(added)] = random.chance(40);
    prepares = false;
    min = max = hosts;
    leaveHostOutAfter = 0;
    joinTimeout = 600 * Second;
    delay = std::min(delay, 50 * Millisecond);
    failPercent = static_cast<int>(random.between(5, 60));
}

std::string Scenario::text() const
{
    const auto seconds = [](std::int64_t ns) { return std::to_string(ns / Second) + " s"; };
    std::string text =
        "seed " + std::to_string(seed) + ": " +
        (isC10d     ? std::string("c10d")
         : isStatic ? std::string("static")
         : !isLed   ? std::string("one agent without a lead")
         : isSlurm  ? std::string("Slurm")
                    : std::string("hosts")) +
        ", " + std::to_string(hosts) + " hosts, nodes " + std::to_string(min) + ":" +
        std::to_string(max) + ", " + std::to_string(workers) + " workers each, max restarts " +
        std::to_string(maxRestarts) +
        (leaveHostOutAfter > 0 ? ", a host left out after " + std::to_string(leaveHostOutAfter)
                               : "") +
        (hasTorchruns ? ", some of torchrun's" : "") + (isCoupled ? ", coupled" : "") +
        (prepares ? ", prepares" : "") + (areCutsShort ? ", short cuts" : "") +
        (doOnlyWorkersFail ? ", only failures" : "") + (doHostsReturn ? ", hosts return" : "") +
        "\n  grace " + seconds(grace) + ", lead timeout " + seconds(leadTimeout) + ", patience " +
        seconds(patience) + ", reconnect " + seconds(reconnect) + ", join timeout " +
        seconds(joinTimeout) + ", last call " + seconds(lastCall) + ", work up to " +
        seconds(work) + ", healed after " + seconds(healedAt) + "\n  faults:";
    for (size_t fault = 0; fault < faults.size(); ++fault)
        if (faults[fault])
            text += " " + nameOf(static_cast<Fault>(fault)) + ",";
    if (!leftOut.empty())
        text += "\n  incidents: " + std::to_string(incidents - static_cast<int>(leftOut.size())) +
                " of " + std::to_string(incidents);
    return text + "\n";
}

} // namespace ringmaster::simulation
