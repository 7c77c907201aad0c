#pragma once

#include "engine/job/JobSpec.h"

#include <chrono>
#include <optional>

namespace ringmaster {

/// Decides whether a failed worker group may run again, and when. Pure: the caller brings the time.
/// The budget is the job's; changes of membership and the user's restarts never come here.
class RestartPolicy
{
public:
    using Duration = std::chrono::nanoseconds;

    enum class Refusal { BudgetSpent, FailedTooSoon };

    struct Decision
    {
        std::optional<Refusal> refusal{}; ///< Set: no further attempt.
        Duration delay{0};                ///< Before the next attempt otherwise.
        int budgetBefore = 0;
        int budgetAfter = 0;
        bool operator==(const Decision&) const = default;
    };

    explicit RestartPolicy(const RestartSpec& spec) : m_spec(spec) {}

    /// Charges the budget unless it refuses.
    Decision groupFailed(Duration ranFor);

    int used() const { return m_used; }
    int left() const { return m_spec.maxRestarts - m_used; }

private:
    Duration delayOf(int restart) const;

    RestartSpec m_spec;
    int m_used = 0;
};

} // namespace ringmaster
