#include "engine/cli/WorkerPlace.h"

#include "engine/cli/Codes.h"
#include "engine/worker/hook/StartHook.h"

namespace ringmaster {

namespace {

constexpr const char* Later = "<chosen at the start>";

void setMaster(const JobSpec& spec, PlacementFacts& facts)
{
    const RendezvousSpec& rendezvous = spec.rendezvous;
    const bool isStandalone = spec.isStandalone();
    facts.runId = isStandalone ? Later : rendezvous.id;
    facts.masterAddress = isStandalone ? "localhost" : rendezvous.masterAddress;
    facts.masterPort =
        rendezvous.method == RendezvousMethod::Static && !isStandalone ? rendezvous.port() : 0;
}

void setOwn(const JobSpec& spec, const MachineCounts& machine, PlacementFacts& facts)
{
    facts.runToken = Later;
    facts.ringFolder = ringFolder().value_or(std::filesystem::path()).string();
    if (!spec.recordOperations)
        return;
    facts.hookFolder = hookStartFolder().value_or(std::filesystem::path()).string();
    facts.hook = Later;
    if (machine.gpus > 0)
        facts.ncclProfiler = ncclProfiler().value_or(std::filesystem::path()).string();
}

} // namespace

Result<WorkerPlace> placeOf(const JobSpec& spec, int rank, const MachineCounts& machine)
{
    WorkerPlace place;
    int before = 0;
    bool isFound = false;
    for (size_t role = 0; role < spec.roles.size(); ++role) {
        const int count = RM_TRY(resolveWorkers(spec.roles[role].workers, machine));
        if (!isFound && rank >= before && rank < before + count) {
            isFound = true;
            place.role = role;
            place.facts.roleRank = rank - before;
            place.facts.roleWorldSize = count;
        }
        before += count;
    }
    if (!isFound)
        return fail(code::RankTooLarge,
                    {{"rank", std::to_string(rank)}, {"count", std::to_string(before)}});
    place.facts.globalRank = place.facts.localRank = rank;
    place.facts.worldSize = place.facts.localWorldSize = before;
    setMaster(spec, place.facts);
    if (spec.logs.folder != "/dev/null")
        place.facts.errorFile = "<log folder>/attempt_0/" + std::to_string(rank) + "/error.json";
    if (!spec.plain)
        setOwn(spec, machine, place.facts);
    return place;
}

} // namespace ringmaster
