#pragma once

#include "engine/diagnose/Mismatch.h"

namespace ringmaster::diagnose {

/// Of an attempt that ends: operations that came back with an error, and that others of the
/// group never called, because they had left, or are elsewhere. Not of ranks that failed
/// themselves: that is a cause of its own; and not what is `known` as a wait, or as calls that
/// don't fit. Pure.
std::vector<VerdictCandidate> findUnanswered(const std::vector<RankView>& ranks,
                                             const MismatchedCalls& mismatched,
                                             const std::vector<VerdictCandidate>& known);

} // namespace ringmaster::diagnose
