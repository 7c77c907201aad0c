#pragma once

#include "engine/lesson/CallFacts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace ringmaster::lesson {

/// Who waits for whom, by what is known of the ranks' calls at one moment. Pure.
class CallWaits
{
public:
    /// A call that a rank is in, and where.
    struct Open
    {
        LessonCall call{};
        Place at{};
    };

    /// Calls, messages and collectives outlive it.
    struct Facts
    {
        int ranks = 0;
        std::map<int, const Open*> calls{};
        std::set<int> ended{}; ///< Ranks that have.
        const std::vector<PeerMessage>& messages;
        const std::vector<Collective>& collectives;
    };

    explicit CallWaits(Facts facts) : m_facts(std::move(facts)) {}

    std::optional<Wait> waitOf(int rank) const;
    std::vector<Wait> waits() const;
    std::optional<Deadlock> deadlock() const;

private:
    const PeerMessage* messageOf(int rank, std::uint64_t call) const;
    const Collective* collectiveOf(int rank, std::uint64_t call) const;
    bool hasSenderFor(const PeerMessage& receive) const;

    const Facts m_facts;
};

} // namespace ringmaster::lesson
