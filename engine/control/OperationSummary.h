#pragma once

#include "engine/diagnose/Bandwidth.h"
#include "engine/diagnose/Steps.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What the recorded operations of a run's latest attempt amount to, as far as they are read.
struct OperationSummary
{
    /// On the agent's CLOCK_MONOTONIC.
    struct TimeRange
    {
        std::int64_t fromNs = 0;
        std::int64_t untilNs = 0; ///< Not in it.

        bool operator==(const TimeRange&) const = default;
    };

    /// Operations of the groups that ended in one span of time.
    struct Point
    {
        std::int64_t fromNs = 0; ///< CLOCK_MONOTONIC of the agent; a multiple of `spanNs`.
        std::uint64_t count = 0;
        double bytes = 0;
        double busBytes = 0;         ///< Times nccl-tests' factor, of what tells a bandwidth.
        std::int64_t transferNs = 0; ///< Of the same.
        std::int64_t feltNs = 0;     ///< Of the same, mean over the ranks.

        double busBandwidth() const ///< Bytes a second.
        {
            return transferNs > 0 ? busBytes * 1e9 / static_cast<double>(transferNs) : 0;
        }
        double feltBusBandwidth() const ///< As the program feels it.
        {
            return feltNs > 0 ? busBytes * 1e9 / static_cast<double>(feltNs) : 0;
        }
        bool operator==(const Point&) const = default;
    };

    /// All groups, types and sizes; spans without an operation have no point.
    struct Series
    {
        ledger::OperationKind kind = ledger::OperationKind::Other;
        std::vector<Point> points{};
    };

    /// When a rank entered an operation and left it, on its node's CLOCK_MONOTONIC.
    struct Arrival
    {
        int rank = 0;
        std::int64_t enteredNs = 0;
        std::int64_t endedNs = 0;
        bool operator==(const Arrival&) const = default;
    };

    /// One operation that no rank can leave before all have come, and how they came.
    struct Collective
    {
        ledger::OperationKind kind = ledger::OperationKind::Other;
        ledger::DataType type = ledger::DataType::None;
        std::uint64_t number = 0; ///< In its group.
        std::uint64_t bytes = 0;
        std::vector<Arrival> arrivals{}; ///< By rank.

        // Of one that isn't empty.
        const Arrival& first() const
        {
            return *std::ranges::min_element(arrivals, {}, &Arrival::enteredNs);
        }
        const Arrival& last() const
        {
            return *std::ranges::max_element(arrivals, {}, &Arrival::enteredNs);
        }
        std::int64_t skewNs() const { return last().enteredNs - first().enteredNs; }
        bool operator==(const Collective&) const = default;
    };

    struct GroupCollectives
    {
        diagnose::GroupKey group{};
        std::vector<Collective> collectives{}; ///< The last ones, by number.
    };

    /// The latest operation of a rank that its record has: it is in it, or was.
    struct Place
    {
        int rank = 0;
        ledger::OperationKind kind = ledger::OperationKind::Other;
        std::string name{}; ///< OperationKind::Other only.
        std::uint64_t number = 0;
        bool isInside = false;
        CallSite calledAt{};      ///< Of its rank; without a file where that isn't known.
        std::int64_t sinceNs = 0; ///< CLOCK_MONOTONIC of the agent: since it is in it, or out.

        bool operator==(const Place&) const = default;
    };

    int attempt = -1; ///< -1: no operation is recorded.
    /// What `rows`, `wallNs` and `foldedNs` are about; nothing: the whole attempt.
    std::optional<TimeRange> range{};
    std::uint64_t operations = 0; ///< Of each rank.
    std::uint64_t lost = 0;       ///< Records that were overwritten before they were read.
    std::uint64_t damaged = 0;    ///< Blocks that can't be understood.
    std::int64_t wallNs = 0;
    std::int64_t foldedNs = 0; ///< Of that, from the beginning: kept as sums only.
    std::int64_t spanNs = 0;
    std::optional<diagnose::StepRate> steps{}; ///< Of the lowest rank; nothing: no rhythm.
    std::vector<diagnose::BandwidthRow> rows{};
    std::vector<Series> series{};
    std::vector<GroupCollectives> collectives{}; ///< The group with the latest operation first.
    std::vector<Place> places{};                 ///< By rank.
    bool isMore = false;                         ///< The file has more already: ask again.
};

/// Where the ranks of a run are at this moment.
struct RankPlaces
{
    int attempt = -1;                              ///< -1: its agent hasn't looked yet; ask again.
    std::vector<OperationSummary::Place> places{}; ///< By rank.
};

} // namespace ringmaster
