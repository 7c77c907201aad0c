#include "app/editor/RankEnvironment.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ringmaster::app {

namespace {

const std::string ChosenAtStart = "\x01";

/// What only the rendezvous of all nodes decides.
bool isDecidedByTheNodes(const JobSpec& spec, std::string_view variable)
{
    constexpr std::array Sizes = {"WORLD_SIZE", "ROLE_WORLD_SIZE", "GROUP_WORLD_SIZE"};
    constexpr std::array Places = {"LOCAL_RANK", "LOCAL_WORLD_SIZE", "GROUP_RANK",
                                   "ROLE_RANK",  "MASTER_ADDR",      "MASTER_PORT"};
    const bool isOneOfSeveral = spec.nodes.max > 1 && !spec.isStandalone();
    return ((spec.isLed() || isOneOfSeveral) && std::ranges::count(Sizes, variable) > 0) ||
           (spec.isLed() && std::ranges::count(Places, variable) > 0);
}

PlacementFacts factsOf(const JobSpec& spec, int rank, const std::vector<int>& workers, size_t role,
                       int roleRank)
{
    const int count = std::accumulate(workers.begin(), workers.end(), 0);
    PlacementFacts facts;
    facts.globalRank = rank;
    facts.localRank = rank;
    facts.worldSize = facts.localWorldSize = count;
    facts.roleRank = roleRank;
    facts.roleWorldSize = workers[role];
    facts.runId = spec.isStandalone() ? ChosenAtStart : spec.rendezvous.id;
    facts.masterAddress = "localhost";
    if (!spec.isStandalone() && spec.rendezvous.method == RendezvousMethod::Static) {
        facts.masterAddress = spec.rendezvous.masterAddress;
        facts.masterPort = spec.rendezvous.port();
    }
    facts.errorFile = ChosenAtStart;
    facts.runToken = ChosenAtStart;
    facts.outputToPipe = true;
    return facts;
}

} // namespace

std::vector<int> workersOf(const JobSpec& spec, const MachineCounts& counts)
{
    std::vector<int> workers;
    for (const Role& role : spec.roles)
        workers.push_back(resolveWorkers(role.workers, counts).value_or(0));
    return workers;
}

Result<WorkerEnvironment> environmentOfRank(const JobSpec& spec, int rank,
                                            const MachineCounts& counts, const EnvironmentMap& base)
{
    const std::vector<int> workers = workersOf(spec, counts);
    int roleRank = rank;
    size_t role = 0;
    while (role < workers.size() && roleRank >= workers[role])
        roleRank -= workers[role++];
    if (role == workers.size())
        return WorkerEnvironment{};
    WorkerEnvironment environment = RM_TRY(workerEnvironment(
        spec, spec.roles[role], factsOf(spec, rank, workers, role, roleRank), base));
    for (EnvironmentEntry& entry : environment.entries) {
        const bool isFree = entry.name == "MASTER_PORT" && entry.value == "0";
        if (isFree || isDecidedByTheNodes(spec, entry.name))
            entry.value = ChosenAtStart;
    }
    return environment;
}

bool isChosenAtStart(const EnvironmentEntry& entry)
{
    return entry.value == ChosenAtStart;
}

} // namespace ringmaster::app
