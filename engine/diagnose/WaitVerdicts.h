#pragma once

#include "engine/diagnose/HangFinder.h"
#include "engine/diagnose/Mismatch.h"
#include "engine/diagnose/VerdictCandidate.h"

namespace ringmaster::diagnose {

/// Who waits for whom, and which of that is proved to be a hang: a rank that is dead or stopped, a
/// circle, a rank that does nothing where it stands. A rank that computes, reads or writes only
/// keeps the others waiting: that is no verdict. Waits for a rank that waits itself are its
/// evidence, and so are those that come of calls that don't fit. `circle`: that was told before, as
/// findCycle() has it. Pure.
std::vector<VerdictCandidate> judgeWaits(const std::vector<RankView>& ranks, std::int64_t nowNs,
                                         const MismatchedCalls& mismatched = {},
                                         const WaitLimits& limits = {},
                                         const std::vector<int>& circle = {});

/// The circle that was told among these, in its order; empty: none.
std::vector<int> circleOf(const std::vector<VerdictCandidate>& found);

/// Says no more than who waits and for whom, which any picture of the ranks shows.
bool isMereWait(const Verdict& verdict);

/// Taken back: what it told of went on, and nobody was guilty of anything.
bool isOver(const Verdict& verdict);

/// That a wait is over, for who heard of it as `verdict`.
Message overStatement(const Verdict& verdict, std::int64_t nowNs);

} // namespace ringmaster::diagnose
