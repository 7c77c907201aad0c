#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/record/WriteQueue.h"

#include <vector>

namespace ringmaster {

/// What one rank is in at this moment, as its agent sees it; times are of that agent's clock.
struct RankActivity
{
    int rank = 0;
    int attempt = 0;
    bool isRecorded = false; ///< Its operations are known.
    diagnose::ProcessView process{};
    OperationBatch now{}; ///< What it is in, and the last that ended.
    /// An operation with a smaller id is of a process that it was before: it replaced itself.
    std::uint64_t firstOperation = 0;
    std::int64_t seenNs = 0; ///< When its process was looked at.
};

/// Blocks of operations as the run file has them.
struct OperationPage
{
    std::vector<OperationRow> rows{};
    std::uint64_t cursor = 0; ///< For the next; unchanged at the end.
};

} // namespace ringmaster
