#pragma once

#include "engine/diagnose/OperationMatcher.h"
#include "engine/ledger/OperationFold.h"

namespace ringmaster::diagnose {

/// A send that only hands its data over returns before they arrived; nccl's is over when the GPU
/// has sent them.
bool tellsBandwidth(ledger::OperationKind kind, ledger::Backend backend);

/// One row of the bandwidth table: operations of one kind, group, data type, size bucket and way.
struct BandwidthRow
{
    ledger::OperationKind kind = ledger::OperationKind::Other;
    ledger::DataType type = ledger::DataType::None;
    GroupKey group{};
    ledger::Backend backend = ledger::Backend::Unknown;
    ledger::Algorithm algorithm = ledger::Algorithm::Unknown;
    std::uint64_t bucket = 0; ///< The largest size in it is below twice this; a power of two, or 0.

    std::uint64_t count = 0; ///< Operations of the group, not of each rank.
    std::uint64_t bytes = 0; ///< Of all of them.
    /// Sum over the operations of the backend's smallest duration over the ranks: the wire's own
    /// time where `isWire`, since the last rank to come waits for nobody. No clocks are compared.
    /// 0: of these nobody knows when they were over.
    std::int64_t transferNs = 0;
    /// Mean over the ranks of what their callers felt: from the call until it, or the wait for it,
    /// was over.
    std::int64_t feltNs = 0;
    bool isWire = false; ///< Synchronising, and seen on all members.
    DurationHistogram transfers{};
    std::int64_t coveredNs = 0; ///< In which at least one of them was in flight.
    std::int64_t lastEndNs = 0; ///< Of those in `coveredNs`; 0: unknown.
    double share = 0;           ///< `coveredNs` of the wall time.

    /// Goes on to cover this much time before that end; what was covered before isn't again.
    void cover(std::int64_t durationNs, std::int64_t endedNs);

    bool isTimed() const { return transferNs > 0; }
    bool tellsBandwidth() const { return diagnose::tellsBandwidth(kind, backend); }
    double algorithmBandwidth() const; ///< Bytes a second, by `transferNs`; 0: unknown.
    double busBandwidth() const;       ///< Times nccl-tests' factor.
    double feltBandwidth() const;      ///< As the program feels it: by `feltNs`.
};

/// A row of a fold.
BandwidthRow rowOf(const OperationFold& fold, const OperationFold::Row& row);

/// The other way round: groups and rows of a fold, without its times.
OperationFold foldOf(std::vector<BandwidthRow> rows);

/// Adds settled operations up. Pure.
class BandwidthRows
{
public:
    void add(const SettledOperation& operation);
    /// Of others, of the same or of another time.
    void add(const BandwidthRow& row);

    bool isEmpty() const { return m_groups.empty(); }
    /// Group by group.
    std::vector<BandwidthRow> rows() const;

private:
    using Rows = std::vector<BandwidthRow>; ///< Of one group: a few.

    size_t placeOf(const GroupKey& group);
    /// Null: there is none like it.
    static BandwidthRow* find(Rows& rows, const BandwidthRow& like);

    std::vector<Rows> m_groups;
    std::map<GroupKey, size_t> m_places;                   ///< In m_groups.
    std::unordered_map<const GroupKey*, size_t> m_matched; ///< The same, by a matcher's keys.
};

/// The most time first, each with its share of that much time.
std::vector<BandwidthRow> byShare(const BandwidthRows& rows, std::int64_t wallNs);

/// Operations of all ranks of one attempt, in any order, to rows; the most time first. Pure.
class BandwidthTable
{
public:
    void described(int rank, const LedgerGroup& group) { m_matcher.described(rank, group); }
    /// What ended before comes as folds: of it, nothing else counts.
    void setFoldedBefore(std::int64_t ns) { m_foldedBeforeNs = ns; }
    void add(const OperationFold& fold);
    /// What is settled with it, if anything is.
    std::optional<SettledOperation> add(int rank, const Operation& operation);

    const GroupKey& groupOf(int rank, std::uint32_t group)
    {
        return m_matcher.groupOf(rank, group);
    }
    std::vector<BandwidthRow> rows() const;
    /// What not all ranks have told of yet.
    std::vector<SettledOperation> waiting() const;
    /// Of the first call; 0: none came.
    std::int64_t firstNs() const { return m_firstNs; }
    /// From the first call to the last that is folded; 0: none is.
    std::int64_t foldedNs() const;
    /// Between the first call and the last end that came.
    std::int64_t wallNs() const;

private:
    void reach(std::int64_t firstNs, std::int64_t lastNs);

    OperationMatcher m_matcher;
    BandwidthRows m_settled;
    std::int64_t m_foldedBeforeNs = 0;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
};

} // namespace ringmaster::diagnose
