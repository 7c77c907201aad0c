#pragma once

#include "tests/simulation/Random.h"
#include "tests/simulation/VirtualTime.h"

#include <set>
#include <string>
#include <vector>

namespace ringmaster::simulation {

/// What can go wrong. A seed leaves a random half of these out altogether: some mistakes need one
/// fault to happen often, and others not to hide it.
enum class Fault {
    Cut,           ///< Nothing passes between a host and the lead, for a while.
    CutOneWay,     ///< The same in one direction.
    LinkBreaks,    ///< The connection to a host ends, and what is on its way is lost.
    HostCrash,     ///< All its processes are gone at once; it is back after a while.
    HostNeverBack, ///< One that crashed stays away.
    AgentKilled,
    AgentStopped, ///< SIGSTOP, and SIGCONT later.
    AgentSignalled,
    KeeperKilled,
    WorkerFails,
    WorkerHangs,
    WorkerIgnoresSignal,
    WorkerSlowToDie,
    WorkerExitsWell, ///< With 0 on SIGTERM.
    WorkerCannotStart,
    OutputCannotOpen,
    UserRestarts,
    UserStops,
    UserStopsNow, ///< Twice, shortly after each other.
    UserSignals,
    LeadKilled,
    LeadStopped,
    PlacesTaken,  ///< Slurm requeues the job.
    PlaceTaken,   ///< Slurm takes one node away.
    JobCancelled, ///< Slurm ends the job.
    PreparingFails,
    SlowStart,
    WorkerUnkillable, ///< It waits in the kernel: SIGKILL ends it late.
    Takeover,         ///< Another lead goes on where one was killed.
    SecondLead,       ///< One goes on though the other lives.
    Count
};

/// One job and what will happen to it, all from one seed.
struct Scenario
{
    explicit Scenario(std::uint64_t seed);

    bool has(Fault fault) const { return faults[static_cast<size_t>(fault)]; }
    /// By a store that one of them serves.
    bool doMeet() const { return isC10d || isStatic; }
    std::string text() const;
    /// For how long a host may be cut off without being left out.
    std::int64_t bearable() const;

    std::uint64_t seed;
    std::vector<bool> faults;
    bool isLed = true;         ///< Else one agent without a lead, or …
    bool isC10d = false;       ///< … several that meet by themselves, as torchrun's do, or …
    bool hasTorchruns = false; ///< Some of those that meet are torchrun's agents.
    bool isStatic = false;     ///< … that know their ranks and each other's number.
    bool isSlurm = false;
    bool prepares = false; ///< Something is brought there before an agent can begin.
    /// No fault but hosts that are cut off, each for less than the job bears.
    bool areCutsShort = false;
    /// No fault but workers that fail, each time for all of the round.
    bool doOnlyWorkersFail = false;
    bool doHostsReturn = false;   ///< Somebody starts an agent of a c10d group on one that is back.
    bool areCutsDirected = false; ///< Also between agents that meet by a store.
    bool isCoupled = false; ///< A worker that ends early takes the others of its round with it.
    int hosts = 1;
    int min = 1;
    int max = 1;
    int workers = 1; ///< A host.
    int maxRestarts = 0;
    int leaveHostOutAfter = 0;
    std::int64_t grace = 5 * Second;
    std::int64_t leadTimeout = 60 * Second;
    std::int64_t patience = 3 * Second; ///< Of the lead with a heartbeat.
    std::int64_t reconnect = 20 * Second;
    std::int64_t longestRetry = 2 * Second; ///< Between two tries of the way to a host.
    std::int64_t joinTimeout = 600 * Second;
    std::int64_t lastCall = 30 * Second;
    std::int64_t restartDelay = 0;
    std::int64_t work = 10 * Second;  ///< Of a worker, at most.
    std::int64_t delay = Millisecond; ///< Of the network, at most.
    std::int64_t healedAt = 0;        ///< No fault from here on.
    int incidents = 0;
    std::set<int> leftOut{}; ///< Incidents that don't happen.
    int failPercent = 0;     ///< Of the workers' starts, before that.

private:
    /// Seeds up to here mean what they meant before there were other kinds of jobs.
    static constexpr std::uint64_t OldKinds = 10'000'000;
    /// The same, before hosts were left out after failures.
    static constexpr std::uint64_t KeepHosts = 20'000'000;
    /// The same, before hosts returned to a c10d group.
    static constexpr std::uint64_t HostsReturn = 50'000'000;

    void haveShortCuts();
    void haveOnlyFailures(Random& random);
    void haveNewerKind(Random& random);
};

std::string nameOf(Fault fault);

} // namespace ringmaster::simulation
