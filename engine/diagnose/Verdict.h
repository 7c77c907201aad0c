#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Error.h"

#include <vector>

namespace ringmaster::diagnose {

/// What is said about a job. Waiting is neutral; the others are verdicts.
enum class VerdictKind { Waiting, WaitOver, Hang, Mismatch, Straggler };

struct Verdict
{
    VerdictKind kind = VerdictKind::Waiting;
    bool isSure = true;
    std::vector<int> guilty{}; ///< Global ranks; empty: nobody, or not known.
    Message statement{};
    std::vector<Message> evidence{};
    Message remedy{}; ///< code::None: none.

    bool operator==(const Verdict&) const = default;
};

} // namespace ringmaster::diagnose
