#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/CallKinds.h"
#include "engine/ledger/DurationHistogram.h"
#include "engine/ledger/LedgerGroup.h"

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What the operations of a span of time amount to: what is left of them when they aren't kept one
/// by one any more.
struct OperationFold
{
    /// Operations of one kind, group, data type, size bucket and way.
    struct Row
    {
        std::uint32_t group = 0; ///< Among `groups`, by its place.
        ledger::OperationKind kind = ledger::OperationKind::Other;
        ledger::DataType type = ledger::DataType::None;
        ledger::Backend backend = ledger::Backend::Unknown;
        ledger::Algorithm algorithm = ledger::Algorithm::Unknown;
        bool isWire = false;
        std::uint64_t bucket = 0;
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
        std::int64_t transferNs = 0;
        std::int64_t feltNs = 0;
        std::int64_t coveredNs = 0; ///< In which one of them or more were in flight.
        DurationHistogram transfers{};

        bool operator==(const Row&) const = default;
    };

    int attempt = 0;
    std::int64_t firstNs = 0;     ///< When the first was called, on CLOCK_MONOTONIC.
    std::int64_t untilNs = 0;     ///< They ended before that.
    std::uint64_t operations = 0; ///< Of each rank.
    std::vector<LedgerGroup> groups{};
    std::vector<Row> rows{};

    bool operator==(const OperationFold&) const = default;
};

/// As files hold it.
std::string packFold(const OperationFold& fold);
/// Bounded, whatever the bytes are; code::LedgerDamaged where they are no fold.
Result<OperationFold> unpackFold(std::string_view block);

} // namespace ringmaster
