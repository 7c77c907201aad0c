#pragma once

#include "engine/ledger/CallKinds.h"
#include "engine/ledger/CallSite.h"
#include "engine/ledger/LedgerGroup.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// One operation of one rank, as its ledger tells it.
struct Operation
{
    /// Abandoned: its process was replaced while it ran.
    enum class Outcome : std::uint8_t { Running, Done, Failed, Abandoned };

    std::uint64_t id = 0; ///< In its ledger; rises in the order of the calls.
    ledger::OperationKind kind = ledger::OperationKind::Other;
    ledger::DataType type = ledger::DataType::None;
    ledger::Reduction reduction = ledger::Reduction::None;
    ledger::Algorithm algorithm = ledger::Algorithm::Unknown;
    ledger::Caller caller = ledger::Caller::Unknown;
    ledger::Backend backend = ledger::Backend::Unknown;
    Outcome outcome = Outcome::Running;
    std::uint32_t group = 0;     ///< LedgerGroup::group of the same ledger.
    std::int32_t peer = -1;      ///< In the group, or the root; -1: none.
    std::int32_t tag = 0;        ///< Of point-to-point.
    std::uint64_t number = 0;    ///< See ledger::Record.
    std::uint64_t bytes = 0;     ///< See ledger::Record.
    std::uint64_t elements = 0;  ///< Of this rank's tensors.
    std::uint32_t channels = 0;  ///< Of the GPU that it took; 0: unknown.
    std::uint16_t site = 0;      ///< CallSite::site of the same ledger; 0: unknown.
    std::int64_t enqueuedNs = 0; ///< CLOCK_MONOTONIC, as the next three; 0: unknown.
    std::int64_t startedNs = 0;
    std::int64_t endedNs = 0;    ///< For the backend.
    std::int64_t returnedNs = 0; ///< When the caller's call, or its wait, was over; 0: unknown.
    std::string name{};          ///< OperationKind::Other only.

    bool operator==(const Operation&) const = default;
};

/// What came from one rank's ledger.
struct OperationBatch
{
    int attempt = 0;
    int rank = 0;
    std::vector<Operation> operations{};
    std::vector<LedgerGroup> groups{}; ///< That these are in.
    std::vector<CallSite> sites{};     ///< That these were called at.
    std::uint64_t lost = 0;            ///< Records that were overwritten meanwhile.

    bool operator==(const OperationBatch&) const = default;
};

} // namespace ringmaster
