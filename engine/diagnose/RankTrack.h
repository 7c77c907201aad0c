#pragma once

#include "engine/ledger/Operation.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ringmaster::diagnose {

/// A process group as all its members know it.
struct GroupKey
{
    std::string name{};
    std::vector<int> members{}; ///< Global ranks; empty: unknown.

    auto operator<=>(const GroupKey&) const = default;
    /// "default" for torch's first, also while it is made; of another that is made, its members;
    /// else its name.
    std::string shown() const;
};

/// What one rank has done so far, as far as others may wait for it. Fed with its operations in the
/// order in which they become known; bounded. Pure.
class RankTrack
{
public:
    static constexpr size_t Remembered = 256; ///< Operations of a group.
    /// Of all groups: with many, each has fewer, but no fewer than a few.
    static constexpr size_t MostRemembered = 32'768;
    static constexpr size_t LeastRemembered = 8;

    void described(const LedgerGroup& group);
    void described(const CallSite& site);
    /// An operation was entered, or is over; either may come alone.
    void seen(const Operation& operation);
    /// Of what it was in, only these (by id) go on; how the others ended isn't known yet.
    void runsOnly(const std::set<std::uint64_t>& running);
    /// The process was replaced: nothing of it runs on.
    void restarted();

    GroupKey keyOf(std::uint32_t group) const;
    /// Where it was called; null: unknown.
    const CallSite* siteOf(const Operation& operation) const;
    /// Every collective of a group that is remembered, by number.
    struct Group
    {
        GroupKey key{};
        std::deque<Operation> remembered{};
    };

    /// How far the rank has come in a group, 0: nowhere.
    std::uint64_t entered(const GroupKey& group) const;
    /// Of a group's point-to-point operations of one kind, with one peer (a rank in the group; -1:
    /// any) and one tag.
    struct PairKey
    {
        GroupKey group{};
        ledger::OperationKind kind = ledger::OperationKind::Send;
        int peer = -1;
        int tag = 0;
        auto operator<=>(const PairKey&) const = default;
    };
    /// The number of the last of them, 0: none.
    std::uint64_t entered(const PairKey& pair) const;
    /// The last of them; null: none.
    const Operation* last(const PairKey& pair) const;
    /// By what they are told apart; of more than MostPairs, nothing certain is known.
    const std::map<PairKey, Operation>& pairs() const { return m_pairs; }
    static constexpr size_t MostPairs = 4096;
    /// Nothing when it is forgotten or wasn't called yet.
    const Operation* find(const GroupKey& group, std::uint64_t number) const;
    const std::map<GroupKey, Group>& groups() const { return m_groups; }
    /// What 19 of 20 remembered pauses between two operations of a group don't exceed; 0: unknown.
    std::int64_t usualPauseNs(const GroupKey& group) const;
    /// The same of the durations of operations like this one.
    std::int64_t usualDurationNs(const GroupKey& group, const Operation& like) const;

    /// What is entered and not over, by id.
    const std::map<std::uint64_t, Operation>& running() const { return m_running; }
    const std::optional<Operation>& lastEnded() const { return m_lastEnded; }

private:
    Group& groupOf(std::uint32_t group);
    void remember(Group& group, const Operation& operation) const;

    std::map<std::uint32_t, LedgerGroup> m_described;
    std::unordered_map<std::uint16_t, CallSite> m_sites;
    std::map<GroupKey, Group> m_groups;
    std::unordered_map<std::uint32_t, Group*> m_byNumber; ///< Into m_groups.
    std::map<PairKey, Operation> m_pairs;
    std::map<std::uint64_t, Operation> m_running;
    std::optional<Operation> m_lastEnded;
};

} // namespace ringmaster::diagnose
