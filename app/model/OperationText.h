#pragma once

#include "engine/control/OperationSummary.h"

#include <QString>

namespace ringmaster::app {

/// "all_reduce": torch's word, in every language.
QString operationName(ledger::OperationKind kind);
/// "all_reduce #128, 3.2 s": in it for so long; "after all_reduce #127"
QString placeText(const OperationSummary::Place& place, std::int64_t nowNs);
/// "called in step, train.py line 88"; "" where that isn't known.
QString calledAtText(const OperationSummary::Place& place);
/// "default", "1 (ranks 0-3)"
QString groupText(const diagnose::GroupKey& group);

/// "4.98 GB/s", of 10^9 bytes as nccl-tests has it
QString bandwidthText(double bytesASecond);
/// "12.3 µs", "1.84 ms", "3.2 s"
QString preciseDurationText(std::int64_t ns);
/// "12,345"
QString countText(std::uint64_t count);
/// "25.0 MiB", "512 B"
QString sizeText(double bytes);

/// "busbw = algbw × 2(n − 1) / n, as nccl-tests has it; × 1.5 for n = 4"
QString busFormulaText(ledger::OperationKind kind, int ranks);
/// Whose time the bandwidth is by.
QString timeSourceText(const diagnose::BandwidthRow& row);

} // namespace ringmaster::app
