#include "tests/simulation/World.h"

#include <algorithm>
#include <cstdio>

namespace ringmaster::simulation {

World::World(const Scenario& of, bool tracing)
    : scenario(of)
    , isTracing(tracing)
    , chance(of.seed * 0x9e3779b97f4a7c15U + 2)
    , faults(of.seed * 0xd1342543de82ef95U + 3)
    , obstacles(of.prepares || of.delay >= Second ? 1 : 0)
{
}

bool World::hasAnyRoundSucceeded() const
{
    return std::ranges::any_of(rounds, [](const auto& entry) {
        const SeenRound& round = entry.second;
        return round.worldSize > 0 && static_cast<int>(round.succeeded.size()) == round.worldSize;
    });
}

bool World::hasAnyRoundFinishedInPart() const
{
    return std::ranges::any_of(rounds, [](const auto& entry) {
        return !entry.second.hostsFinished.empty() && !entry.second.hostsRestarted.empty();
    });
}

bool World::hasAnyRoundSucceededInPart() const
{
    return std::ranges::any_of(rounds, [](const auto& entry) {
        const SeenRound& round = entry.second;
        const int succeeded = static_cast<int>(round.succeeded.size());
        return succeeded > 0 && succeeded < round.worldSize;
    });
}

/// Each of torchrun's agents stays with the store of its first round. Where those of a round have
/// the same, and it is still there, ours have to publish it, whoever has rank 0.
void World::checkMasters(std::uint64_t number) const
{
    const SeenRound& round = rounds.at(number);
    const bool haveAllBegun = static_cast<int>(round.ranks.size()) == round.worldSize;
    const bool doTorchrunsAgree = round.torchrunMasters.size() == 1 && !round.isAnyMasterGone;
    // One that is too far away to answer may seem to be gone.
    if (obstacles > 0 || !haveAllBegun || !doTorchrunsAgree || round.master.empty())
        return;
    if (const std::string& theirs = *round.torchrunMasters.begin(); theirs != round.master)
        violated("in round " + std::to_string(number) + " workers of torchrun's agents meet at " +
                 theirs + ", and those of ours at " + round.master);
}

World::SeenRound& World::seeRound(std::uint64_t number, int worldSize, int firstRank, int workers,
                                  const std::string& agent)
{
    SeenRound& round = rounds[number];
    if (round.worldSize == 0)
        round.worldSize = worldSize;
    if (round.worldSize != worldSize)
        violated("agents disagree on the size of round " + std::to_string(number));
    for (int rank = firstRank; rank < firstRank + workers; ++rank) {
        if (rank < 0 || rank >= round.worldSize)
            violated("a rank beyond the size of its round");
        if (!round.ranks.emplace(rank, agent).second)
            violated("rank " + std::to_string(rank) + " of round " + std::to_string(number) +
                     " was given twice");
    }
    return round;
}

void World::startsWork(int host, const std::string& agent)
{
    std::set<std::string>& atWork = m_atWork[host];
    atWork.insert(agent);
    // Slurm ends what runs in places that it takes back when it likes.
    if (scenario.isLed && !scenario.isSlurm && atWork.size() > 1)
        violated("two agents of a host have workers");
}

void World::ended(int host, const std::string& agent)
{
    endsWork(host, agent);
    if (const auto alive = agentsAlive.find(agent); --alive->second == 0)
        agentsAlive.erase(alive);
}

void World::violated(const std::string& what) const
{
    throw Violation{what};
}

void World::write(const char* who, int number, const std::string& text)
{
    char at[32];
    std::snprintf(at, sizeof at, "%9.3f  ", static_cast<double>(time.now() - Second) / 1e9);
    std::string name = who;
    if (number > 0)
        name += " " + std::to_string(number);
    name.resize(11, ' ');
    // At once: an assertion may end the process.
    std::printf("%s%s%s\n", at, name.c_str(), text.c_str());
    std::fflush(stdout);
}

} // namespace ringmaster::simulation
