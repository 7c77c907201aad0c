#pragma once

#include "engine/base/Error.h"
#include "engine/rendezvous/State.h"

#include <cstdint>
#include <map>
#include <string>

namespace ringmaster::simulation {

class World;

/// The state that the agents of a c10d rendezvous share: whatever is written there is held against
/// what torchrun's agents rely on, and what an agent says of its round against what was written.
/// Each throws the Violation.
class SharedStateRules
{
public:
    explicit SharedStateRules(const World& world) : m_world(world) {}

    /// The agent on this host has replaced it.
    void written(int host, const std::string& encoded);

    /// An agent starts the workers of a round; a node is named by its number in World::nodeOf().
    void begun(std::uint64_t round, std::int64_t node, int firstRank, int worldSize) const;
    /// It breaks the round up, for what others do.
    void brokenUp(std::uint64_t round, const Message& why) const;
    /// It ends without a failure, and is in no round.
    void notNeeded(std::int64_t node) const;

private:
    struct Writer
    {
        std::string address{};
        std::int64_t node = 0;

        bool is(const NodeDescription& other) const
        {
            return other.address == address && other.pid == node;
        }
    };

    struct CompleteRound
    {
        std::map<NodeDescription, std::int64_t> participants{};
        std::uint64_t completedAt = 0; ///< The write.
        bool hasAnybodyLeft = false;
    };

    void checkRound(const RendezvousState& before) const;
    void checkComplete() const;
    void checkParticipants(const RendezvousState& before, const Writer& writer) const;
    void checkOthers(const RendezvousState& before, const Writer& writer) const;
    void checkDropped(const RendezvousState& before, const Writer& writer) const;
    void note(const RendezvousState& before);
    bool isSameRound(const RendezvousState& before) const { return m_state.round == before.round; }
    bool hasEnded(const NodeDescription& node) const;

    const World& m_world;
    RendezvousState m_state{};
    std::uint64_t m_writes = 0;
    std::uint64_t m_waitedAt = 0; ///< The last after which anybody waited.
    std::map<std::int64_t, CompleteRound> m_rounds{};
};

} // namespace ringmaster::simulation
