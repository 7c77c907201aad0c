#pragma once

#include "engine/ledger/Operation.h"

#include <deque>
#include <optional>

namespace ringmaster::diagnose {

/// How an unmodified program steps, as its operations tell.
struct StepRate
{
    size_t operations = 0;       ///< Of one step.
    double bytes = 0;            ///< Of one step.
    std::uint64_t steps = 0;     ///< Since the period was the same, in what is remembered.
    std::int64_t periodNs = 0;   ///< From one step to the next, in the middle.
    std::int64_t measuredNs = 0; ///< The end of the last whole step.

    double stepsPerSecond() const { return periodNs > 0 ? 1e9 / static_cast<double>(periodNs) : 0; }
};

/// Finds the period of one rank's operations: the smallest number of calls after which the same
/// calls come again, nineteen times of twenty. Fed with its operations in about the order of their
/// calls; bounded. Pure.
class StepWatch
{
public:
    static constexpr size_t Remembered = 1024;
    static constexpr size_t LeastSteps = 4; ///< Fewer are no rhythm.

    void add(const Operation& operation);
    /// Nothing where there is no rhythm.
    std::optional<StepRate> rate() const;

private:
    struct Call
    {
        std::uint64_t id = 0;
        std::uint64_t signature = 0;
        std::uint64_t bytes = 0;
        std::int64_t enqueuedNs = 0;
    };

    std::deque<Call> m_calls; ///< By id.
};

} // namespace ringmaster::diagnose
