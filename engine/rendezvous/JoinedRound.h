#pragma once

#include "engine/rendezvous/Rendezvous.h"
#include "engine/rendezvous/State.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ringmaster {

/// The round of a c10d rendezvous that a node takes part in, as the state had it when it was
/// complete. Pure.
class JoinedRound
{
public:
    using Participants = std::map<NodeDescription, std::int64_t>; ///< node → group rank

    JoinedRound() = default;
    JoinedRound(NodeDescription self, const RendezvousState& state);

    /// Not where a node was dropped after the ranks were given, and before this one has seen them.
    bool isWhole() const;

    std::int64_t number() const { return m_number; }
    const Participants& participants() const { return m_participants; }
    int groupRank() const { return static_cast<int>(m_participants.at(m_self)); }
    int groupWorldSize() const { return static_cast<int>(m_participants.size()); }

    /// As the agent hears of it, without where its workers meet; from the offers of all its nodes.
    Round assignedTo(const std::vector<NodeOffer>& offers) const;

    /// Another that isn't in it any more, as the state is now; null: nobody.
    const NodeDescription* missing(const RendezvousState& state) const;

private:
    NodeDescription m_self{};
    std::int64_t m_number = -1;
    Participants m_participants{};
};

} // namespace ringmaster
