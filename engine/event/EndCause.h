#pragma once

#include "engine/event/Snapshot.h"

namespace ringmaster {

/// What is told first of how a run, or the attempt before this one, ended.
struct EndCause
{
    Message cause{};
    Message place{}; ///< Where a guilty rank stood; code::None: not known.
    Message remedy{};
    bool isSure = true;
    /// The verdict that it is; nothing: what the ends of the workers told.
    const StandingVerdict* verdict = nullptr;
};

/// The weightiest of what was said of the ranks that may be why they ended; null: nothing may.
/// `isToldOtherwise`: one of them is known to have failed by itself. Points into the snapshot.
const StandingVerdict* verdictOfEnd(const RunSnapshot& run, bool isToldOtherwise);

/// Of a run that is over. What was seen while the ranks lived comes before what their ends tell,
/// but for a rank that failed by itself: an error that a wait ended with, or that the others got
/// when one was stopped, is a consequence. Points into the snapshot. Nothing: there is nothing to
/// tell.
std::optional<EndCause> endCauseOf(const RunSnapshot& run);

/// Why the last restart came, while or after another attempt runs; null: there was none, or the
/// cause is this attempt's own.
const FirstCause* restartCauseOf(const RunSnapshot& run);

} // namespace ringmaster
