#pragma once

#include "engine/event/Event.h"
#include "tests/simulation/Fingerprint.h"
#include "tests/simulation/Scenario.h"
#include "tests/simulation/VirtualTime.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ringmaster::simulation {

/// A claim about the run that doesn't hold.
struct Violation
{
    std::string what{};
};

/// What all parts of one simulated run share: time, chance, the trace, and what has really
/// happened, against which the product's claims are held.
class World
{
public:
    World(const Scenario& of, bool tracing);

    /// Something that happens the same way each time: a line on standard output, if anybody reads
    /// it.
    template <class... Parts>
    void trace(const char* who, int number, const Parts&... parts)
    {
        fingerprint.add(time.now());
        fingerprint.add(who);
        fingerprint.add(number);
        (fingerprint.add(parts), ...);
        print(who, number, parts...);
    }
    /// The line alone.
    template <class... Parts>
    void print(const char* who, int number, const Parts&... parts)
    {
        if (!isTracing)
            return;
        std::string text;
        (add(text, parts), ...);
        write(who, number, text);
    }
    [[noreturn]] void violated(const std::string& what) const;

    bool isHealed() const { return time.now() >= scenario.healedAt; }
    bool happens(Fault fault, int percent)
    {
        return scenario.has(fault) && !isHealed() && faults.chance(percent);
    }

    const Scenario& scenario;
    const bool isTracing;
    VirtualTime time;
    Random chance; ///< Delays and work.
    Random faults;
    Fingerprint fingerprint;

    // What has happened.
    /// Of a job with a lead, whose attempts count for all hosts, or of one host.
    using Attempt = std::pair<int, int>;
    Attempt attemptOf(int host, int attempt) const
    {
        return {scenario.isLed ? 0 : nodeOf(host), attempt};
    }
    std::map<int, int> startsOf; ///< Of agents in a group without a lead, by host.
    /// Another number for each of them.
    int nodeOf(int host) const
    {
        const auto starts = startsOf.find(host);
        return starts != startsOf.end() ? host + 100 * (starts->second - 1) : host;
    }
    std::set<Attempt> failedAttempts; ///< A worker, or its keeper, ended by itself.
    void failed(int host, int attempt, std::uint64_t lead)
    {
        failedAttempts.insert(attemptOf(host, attempt));
        failuresOn[host].insert(attempt);
        failuresUnder[lead][attempt].insert(host);
    }
    std::map<int, std::set<int>> failuresOn; ///< The same by host, for jobs with a lead.
    /// The hosts of the same, by the lead that began the attempt, and by that.
    std::map<std::uint64_t, std::map<int, std::set<int>>> failuresUnder;
    std::set<Attempt> chargedAttempts;
    int agentsKilled = 0;
    int workersRunning = 0;
    int unkillableRunning = 0;  ///< Of those: SIGKILL was sent, and they stay a while.
    int unkillable = 0;         ///< All that ever were.
    std::set<int> hostsLost;    ///< For good.
    std::set<int> hostsLeftOut; ///< After failures there.
    int couldNotStart = 0;
    std::set<int> hostsNotStarted; ///< Where that was, …
    std::set<int> hostsUnkillable; ///< … and where a worker couldn't be killed.
    int stopsAsked = 0;
    std::set<int> hostsAskedToEnd; ///< Of agents without a lead.
    int restartsAsked = 0;
    int agentsSignalled = 0;
    int placesTaken = 0;
    int placesCharged = 0; ///< Restarts, though no worker had failed.
    bool isJobCancelled = false;
    /// What Slurm has done, of which a lead may not know yet.
    struct Slurm
    {
        bool arePlacesTaken = false;
        bool areTakenForGood = false;
        std::set<int> taken{};       ///< Hosts …
        std::set<int> lost{};        ///< … also those that a lead has heard of.
        std::int64_t allEndedAt = 0; ///< What runs in such places.
    };
    Slurm slurm;
    bool hasTorchrunFailed = false; ///< Whoever of torchrun's ends closes the rendezvous for all.
    int obstacles;                  ///< What kept somebody away or made him slow, for a while.

    /// What the agents were told about a round; all of them have to agree.
    struct SeenRound
    {
        int worldSize = 0;
        std::uint64_t generation = 0; ///< Of the lead under which it was begun first.
        std::string master{};
        std::string restarts{};
        std::map<int, std::string> ranks{}; ///< Whose each is.
        std::set<int> succeeded{};
        std::set<int> hostsFinished{}; ///< Their agents have said so.
        std::set<int> hostsRestarted{};
        std::set<std::string> torchrunMasters{}; ///< Whatever torchrun's agents tell their workers.
        bool isAnyMasterGone = false;            ///< Of those.
    };
    std::map<std::uint64_t, SeenRound> rounds;
    /// A round by its number; those of two leads that live at once are told apart.
    std::uint64_t roundOf(std::uint64_t number, std::uint64_t generation) const
    {
        return number + (scenario.has(Fault::SecondLead) ? generation << 32U : 0);
    }

    std::uint64_t newestLead = 0;
    std::map<std::string, int> agentsAlive; ///< How many of a name.
    /// Who said that it ended, or was killed: its host, and when.
    std::vector<std::pair<int, std::int64_t>> ends;
    void isAtEnd(int host) { ends.emplace_back(host, time.now()); }
    /// Somebody begins a round with this size and these ranks.
    SeenRound& seeRound(std::uint64_t number, int worldSize, int firstRank, int workers,
                        const std::string& agent);
    /// A host has one agent at work, whoever started it.
    void startsWork(int host, const std::string& agent);
    void endsWork(int host, const std::string& agent) { m_atWork[host].erase(agent); }
    void ended(int host, const std::string& agent);
    /// All workers of a round have ended well.
    bool hasAnyRoundSucceeded() const;
    /// Some hosts have finished while others began it anew.
    bool hasAnyRoundFinishedInPart() const;
    /// Some workers have ended well, and others haven't.
    bool hasAnyRoundSucceededInPart() const;
    /// Our workers meet those of torchrun's agents wherever these can meet each other.
    void checkMasters(std::uint64_t number) const;

private:
    static void add(std::string& text, std::string_view part) { text += part; }
    static void add(std::string& text, std::int64_t number) { text += std::to_string(number); }
    static void add(std::string& text, const Message& message) { text += describe(message); }
    void write(const char* who, int number, const std::string& text);

    std::map<int, std::set<std::string>> m_atWork; ///< Agents, by host.
};

} // namespace ringmaster::simulation
