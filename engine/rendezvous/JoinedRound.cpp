#include "engine/rendezvous/JoinedRound.h"

#include "engine/rendezvous/RankExchange.h"

#include <set>

namespace ringmaster {

JoinedRound::JoinedRound(NodeDescription self, const RendezvousState& state)
    : m_self(std::move(self)), m_number(state.round), m_participants(state.participants)
{
}

bool JoinedRound::isWhole() const
{
    std::set<std::int64_t> ranks;
    for (const auto& [node, rank] : m_participants)
        ranks.insert(rank);
    return ranks.size() == m_participants.size() && *ranks.begin() == 0 &&
           *ranks.rbegin() == static_cast<std::int64_t>(ranks.size()) - 1;
}

Round JoinedRound::assignedTo(const std::vector<NodeOffer>& offers) const
{
    Round round;
    round.number = static_cast<std::uint64_t>(m_number);
    round.groupRank = groupRank();
    round.groupWorldSize = groupWorldSize();
    round.worldSize = worldSizeOf(offers);
    round.places = placesOf(offers, round.groupRank);
    return round;
}

const NodeDescription* JoinedRound::missing(const RendezvousState& state) const
{
    for (const auto& [node, rank] : m_participants) {
        const bool isThere = state.round == m_number && state.participants.contains(node);
        if (node != m_self && !isThere)
            return &node;
    }
    return nullptr;
}

} // namespace ringmaster
