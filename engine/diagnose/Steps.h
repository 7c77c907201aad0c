#pragma once

#include "engine/diagnose/Rhythm.h"
#include "engine/ledger/Operation.h"

#include <optional>

namespace ringmaster::diagnose {

/// How an unmodified program steps, as its operations tell.
struct StepRate
{
    size_t operations = 0;       ///< Of one step.
    double bytes = 0;            ///< Of one step.
    std::uint64_t steps = 0;     ///< In what is remembered.
    std::int64_t periodNs = 0;   ///< The mean over these, with whatever was between two.
    std::int64_t measuredNs = 0; ///< The beginning of the last.

    double stepsPerSecond() const { return periodNs > 0 ? 1e9 / static_cast<double>(periodNs) : 0; }
};

/// Finds the steps in one rank's operations, by their rhythm. Fed with them in about the order of
/// their calls; bounded. Pure.
class StepWatch
{
public:
    static constexpr size_t Remembered = 1024;

    void add(const Operation& operation);
    /// Nothing where there is no rhythm.
    std::optional<StepRate> rate() const;

private:
    std::vector<RhythmCall> m_calls; ///< By id.
    bool m_hasForgotten = false;     ///< Those before.
};

} // namespace ringmaster::diagnose
