#pragma once

#include "engine/diagnose/RankTrack.h"

#include <map>
#include <optional>
#include <unordered_map>

namespace ringmaster::diagnose {

/// One operation of a group as its members together tell of it.
struct SettledOperation
{
    ledger::OperationKind kind{};
    ledger::DataType type{};
    ledger::Backend backend{};
    ledger::Algorithm algorithm{};
    std::uint64_t bytes = 0;
    const GroupKey* group = nullptr; ///< The matcher's.
    int ranks = 0;                   ///< That have told of it.
    std::int64_t transferNs = 0;     ///< The backend's, the smallest over them; 0: nobody knows.
    std::int64_t feltNs = 0;         ///< The callers', the sum of all.
    std::int64_t flightNs = 0;       ///< The same, of who waited in the call; else the backend's.
    std::int64_t endedNs = 0;        ///< On the last of them; unknown: when it was called there.
    std::int64_t landedNs = 0;       ///< The end of what `flightNs` says, on the last of them.

    int groupSize() const { return static_cast<int>(group->members.size()); }
    bool isTimed() const { return transferNs > 0; }
    bool isComplete() const { return ranks == groupSize(); }
};

/// Puts together what the ranks of one attempt tell, in any order. Pure.
class OperationMatcher
{
public:
    OperationMatcher() = default;
    OperationMatcher(OperationMatcher&&) = default;
    OperationMatcher& operator=(OperationMatcher&&) = default;
    OperationMatcher(const OperationMatcher&) = delete;
    OperationMatcher& operator=(const OperationMatcher&) = delete;

    void described(int rank, const LedgerGroup& group);
    /// What is settled with it, if anything is: all members have told of it, or it is given up. A
    /// receive is no transfer of its own, so each side of a pair is one.
    std::optional<SettledOperation> add(int rank, const Operation& operation);

    const GroupKey& groupOf(int rank, std::uint32_t group);
    /// Of those that not all have told of, the ones that ended before on the ranks that have.
    std::vector<SettledOperation> giveUp(std::int64_t beforeNs);
    /// Those that not all have told of.
    std::vector<SettledOperation> waiting() const;

private:
    struct Group
    {
        GroupKey key{};
        std::map<std::uint64_t, SettledOperation> waiting{}; ///< By number.
    };

    static std::uint64_t numberOf(int rank, std::uint32_t group)
    {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(rank)) << 32U | group;
    }
    Group& find(int rank, std::uint32_t group);
    Group& groupWith(const GroupKey& key);

    std::map<GroupKey, Group> m_groups;
    /// By rank and number, into m_groups.
    std::unordered_map<std::uint64_t, Group*> m_byNumber;
};

/// The backend's own interval: from its start, where that is known, else from its call; 0: unknown.
std::int64_t durationOf(const Operation& operation);
/// The caller's: until its call, or its wait, was over. Where nobody knows that, until the
/// backend's end; of a GPU, which the caller doesn't wait for, the backend's own.
std::int64_t feltOf(const Operation& operation);
/// Until when it keeps somebody: the caller that waits in the call, or else the backend.
std::int64_t landedOf(const Operation& operation);

} // namespace ringmaster::diagnose
