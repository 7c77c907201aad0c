#pragma once

#include "engine/event/Event.h"
#include "tests/simulation/Scenario.h"
#include "tests/simulation/VirtualTime.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

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

    /// One line of the trace; `text` is only made when somebody reads it.
    template <class Text>
    void trace(const char* who, int number, const Text& text)
    {
        hash(static_cast<std::uint64_t>(time.now()));
        if (isTracing)
            write(who, number, text());
    }
    [[noreturn]] void violated(const std::string& what) const;
    void hash(std::uint64_t word) { fingerprint = (fingerprint ^ word) * 0x100000001b3U; }

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
    std::string told; ///< The trace.
    std::uint64_t fingerprint = 0xcbf29ce484222325U;

    // What has happened.
    std::set<int> failedAttempts; ///< A worker ended by itself as it shouldn't, or its keeper did.
    std::set<int> chargedAttempts;
    int workersRunning = 0;
    int hostsLostForGood = 0;
    int couldNotStart = 0;
    int stopsAsked = 0;
    int agentsSignalled = 0;
    int placesTaken = 0;
    std::int64_t longestAbsence = 0; ///< Of a host: cut off, or down.

    /// What the agents were told about a round; all of them have to agree.
    struct SeenRound
    {
        int worldSize = 0;
        std::string master{};
        std::map<int, std::string> ranks{}; ///< Whose each is.
    };
    std::map<std::uint64_t, SeenRound> rounds;

private:
    void write(const char* who, int number, const std::string& text);
};

} // namespace ringmaster::simulation
