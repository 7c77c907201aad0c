#pragma once

#include "engine/lead/GatheredEnds.h"
#include "engine/lead/GatheredLogs.h"
#include "engine/lead/GatheredOperations.h"
#include "engine/lead/RunStanding.h"
#include "engine/record/RunFolder.h"

namespace ringmaster {

/// What the lead of a run had recorded when it was lost: what another lead goes on from, and what
/// it doesn't write again.
struct LostRun
{
    RunStanding standing{};
    GatheredEnds ends{};
    GatheredOperations::Recorded operations{};
    GatheredLogs::Recorded logs{};

    /// Errors: the run has ended; its file can't be read.
    static Result<LostRun> read(const RunFolder& folder, RunStanding::MayExplain mayExplain);
};

} // namespace ringmaster
