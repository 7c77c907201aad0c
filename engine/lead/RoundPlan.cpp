#include "engine/lead/RoundPlan.h"

#include "engine/rendezvous/RankExchange.h"

namespace ringmaster {

std::vector<BeginRound> roundsFor(const std::vector<RendezvousReport>& offers,
                                  const BeginRound& common)
{
    std::vector<NodeOffer> nodes;
    for (const RendezvousReport& offer : offers) {
        NodeOffer& node = nodes.emplace_back();
        for (const RendezvousReport::RoleCount& role : offer.roles)
            node.roles.push_back({role.role, role.workers});
    }
    BeginRound round = common;
    round.groupWorldSize = static_cast<int>(offers.size());
    round.worldSize = worldSizeOf(nodes);
    round.masterAddress = offers.front().address;
    round.masterPort = offers.front().port;
    std::vector<BeginRound> rounds;
    for (round.groupRank = 0; round.groupRank < round.groupWorldSize; ++round.groupRank) {
        round.places.clear();
        for (const Round::RolePlace& place : placesOf(nodes, round.groupRank))
            round.places.push_back(
                {place.role, place.globalRankBase, place.roleRankBase, place.roleWorldSize});
        rounds.push_back(round);
    }
    return rounds;
}

} // namespace ringmaster
