#pragma once

#include "engine/diagnose/RankTrack.h"

#include <map>
#include <optional>

namespace ringmaster::diagnose {

/// One row of the bandwidth table: operations of one kind, group, data type and size bucket.
struct BandwidthRow
{
    ledger::OperationKind kind = ledger::OperationKind::Other;
    ledger::DataType type = ledger::DataType::None;
    GroupKey group{};
    std::uint64_t bucket = 0; ///< The largest size in it is below twice this; a power of two, or 0.

    std::uint64_t count = 0; ///< Operations of the group, not of each rank.
    std::uint64_t bytes = 0; ///< Of all of them.
    /// Sum over the operations of the smallest duration over the ranks: the wire's own time where
    /// `isWire`, since the last rank to come waits for nobody. No clocks are compared.
    std::int64_t transferNs = 0;
    std::int64_t insideNs = 0; ///< Mean over the ranks of their time in these operations.
    bool isWire = false;       ///< Synchronising, and seen on all members.
    double share = 0;          ///< `insideNs` of the wall time.

    double algorithmBandwidth() const; ///< Bytes a second, by `transferNs`.
    double busBandwidth() const;       ///< Times nccl-tests' factor.
    double effectiveBandwidth() const; ///< As the program feels it: by `insideNs`.
};

/// One operation of a group that all its members have told of, or that is given up for lost.
struct SettledOperation
{
    ledger::OperationKind kind{};
    std::uint64_t bytes = 0;
    int groupSize = 0;
    std::int64_t transferNs = 0; ///< The smallest duration over the ranks.
    std::int64_t endedNs = 0;    ///< On the last of them.
};

/// Operations of all ranks of one attempt, in any order, to rows; the most time first. Pure.
class BandwidthTable
{
public:
    void described(int rank, const LedgerGroup& group);
    /// What is settled with it, if anything is.
    std::optional<SettledOperation> add(int rank, const Operation& operation);

    GroupKey groupOf(int rank, std::uint32_t group) const;
    std::vector<BandwidthRow> rows() const;
    /// Between the first call and the last end that came.
    std::int64_t wallNs() const;

private:
    struct Seen
    {
        ledger::OperationKind kind{};
        ledger::DataType type{};
        std::uint64_t bytes = 0;
        int ranks = 0;
        std::int64_t shortestNs = 0;
        std::int64_t sumNs = 0;
        std::int64_t endedNs = 0;
    };
    /// Number, peer and sending rank: the last two of point-to-point only.
    using Number = std::tuple<std::uint64_t, int, int>;
    using RowKey = std::tuple<ledger::OperationKind, ledger::DataType, std::uint64_t>;

    static void settle(std::map<RowKey, BandwidthRow>& rows, const GroupKey& group,
                       const Seen& seen);

    std::map<int, RankTrack> m_ranks;
    std::map<GroupKey, std::map<Number, Seen>> m_waiting;
    std::map<GroupKey, std::map<RowKey, BandwidthRow>> m_settled;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
};

} // namespace ringmaster::diagnose
