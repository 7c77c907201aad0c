#pragma once

#include "engine/diagnose/Waits.h"
#include "engine/event/Verdict.h"

#include <optional>
#include <string>

namespace ringmaster::diagnose {

/// What holds at one moment, with what it is known by from one look to the next.
struct VerdictCandidate
{
    std::string key{};
    Verdict verdict{}; ///< Without id and attempt.
    /// It holds, as another's evidence: nothing to state, nothing to withdraw. No verdict.
    bool isSaidElsewhere = false;
    std::optional<Wait> wait{}; ///< That it is about, if it is about one.
};

} // namespace ringmaster::diagnose
