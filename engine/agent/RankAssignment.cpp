#include "engine/agent/RankAssignment.h"

#include "engine/agent/Codes.h"

namespace ringmaster {

NodeOffer offerOf(const JobSpec& spec, const std::vector<int>& workers)
{
    NodeOffer offer;
    for (std::size_t i = 0; i < spec.roles.size(); ++i)
        offer.roles.push_back({spec.roles[i].name, i < workers.size() ? workers[i] : 0});
    return offer;
}

Result<std::vector<WorkerAssignment>> assignRanks(const NodeOffer& offer, const Round& round)
{
    if (round.places.size() != offer.roles.size())
        return fail(code::RoundDoesNotFit, {{"roles", std::to_string(offer.roles.size())},
                                            {"places", std::to_string(round.places.size())}});
    std::vector<WorkerAssignment> workers;
    for (std::size_t role = 0; role < offer.roles.size(); ++role) {
        const Round::RolePlace& place = round.places[role];
        for (int i = 0; i < offer.roles[role].workers; ++i)
            workers.push_back({.localRank = static_cast<int>(workers.size()),
                               .globalRank = place.globalRankBase + i,
                               .roleRank = place.roleRankBase + i,
                               .roleWorldSize = place.roleWorldSize,
                               .role = offer.roles[role].role});
    }
    return workers;
}

} // namespace ringmaster
