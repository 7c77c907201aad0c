#pragma once

#include "engine/event/Verdict.h"

#include <string>

namespace ringmaster::diagnose {

/// What holds at one moment, with what it is known by from one look to the next.
struct VerdictCandidate
{
    std::string key{};
    Verdict verdict{}; ///< Without id and attempt.
    /// It holds, as another's evidence: nothing to state, nothing to withdraw. No verdict.
    bool isSaidElsewhere = false;
};

} // namespace ringmaster::diagnose
