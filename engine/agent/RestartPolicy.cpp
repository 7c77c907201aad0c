#include "engine/agent/RestartPolicy.h"

#include <algorithm>

namespace ringmaster {

RestartPolicy::Decision RestartPolicy::groupFailed(Duration ranFor)
{
    Decision decision{.budgetBefore = left(), .budgetAfter = left()};
    if (left() <= 0)
        decision.refusal = Refusal::BudgetSpent;
    else if (ranFor < m_spec.minimumHealthyTime)
        decision.refusal = Refusal::FailedTooSoon;
    if (decision.refusal)
        return decision;

    decision.delay = delayOf(m_used);
    ++m_used;
    decision.budgetAfter = left();
    return decision;
}

RestartPolicy::Duration RestartPolicy::delayOf(int restart) const
{
    const Duration longest = std::max(m_spec.firstDelay, m_spec.longestDelay);
    Duration delay = m_spec.firstDelay;
    for (int i = 0; i < restart && delay < longest; ++i)
        delay *= 2;
    return std::min(delay, longest);
}

} // namespace ringmaster
