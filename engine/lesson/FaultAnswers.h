#pragma once

#include "engine/lesson/Faults.h"

#include <optional>

namespace ringmaster::lesson {

/// What a fault leads to. Exactly one of them is true once it is over.
enum class FaultOutcome {
    Completes, ///< The program runs to its end, and nobody is held up.
    Waits,     ///< Others wait for the rank: until it goes on, or until somebody ends the run.
    Restarts,  ///< The worker group is started again.
    Fails,     ///< The run fails.
};

/// Who says which rank it was. Exactly one of them is true once it is over.
enum class FaultWitness {
    Nobody,
    Exceptions, ///< Ranks fail, and don't say whose fault it is.
    Agent,      ///< It sees the process end.
    Diagnosis,  ///< It names whom the others wait for.
    Comparison, ///< Of the ranks' calls.
};

/// The right answers to what is asked before a fault, and the steps that show them.
struct FaultAnswers
{
    FaultOutcome outcome = FaultOutcome::Completes;
    size_t courseStep = 0;
    FaultWitness witness = FaultWitness::Nobody;
    size_t witnessStep = 0;
    bool operator==(const FaultAnswers&) const = default;
};

/// Computed from what was recorded. Nothing: it isn't over, or the run was stopped before anything
/// could be seen.
std::optional<FaultAnswers> answersOf(const FaultReport& report);

} // namespace ringmaster::lesson
