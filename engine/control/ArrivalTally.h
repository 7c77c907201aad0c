#pragma once

#include "engine/control/OperationSummary.h"
#include "engine/ledger/Operation.h"

#include <map>
#include <unordered_map>

namespace ringmaster {

/// Keeps how the ranks of each group came to its last operations that synchronise. Bounded; pure.
class ArrivalTally
{
public:
    static constexpr size_t Kept = 64;           ///< Operations of a group.
    static constexpr size_t MostGroups = 8;      ///< Those with the latest operations.
    static constexpr size_t MostArrivals = 1024; ///< Of one operation: the first ranks.

    /// The group stays where it is as long as this lives.
    void add(int rank, const diagnose::GroupKey& group, const Operation& operation);
    std::vector<OperationSummary::GroupCollectives> summary() const;

private:
    struct Group
    {
        /// By number; those that not all have told of among them.
        std::map<std::uint64_t, OperationSummary::Collective> collectives{};
        std::uint64_t lastComplete = 0;
        std::int64_t latestNs = 0;
    };

    void makeRoom();

    Group& groupOf(const diagnose::GroupKey& key);

    std::map<diagnose::GroupKey, Group> m_groups;
    std::unordered_map<const diagnose::GroupKey*, Group*> m_known; ///< Into m_groups.
};

} // namespace ringmaster
