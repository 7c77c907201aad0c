#include "engine/lead/RestartBudget.h"

#include <utility>

namespace ringmaster {

void RestartBudget::resume(int used, bool isCharged)
{
    m_used = used;
    m_hasRun = !isCharged;
}

GroupRestarting RestartBudget::charge(int attempt, const Message& why)
{
    const int left = m_maxRestarts - m_used++;
    m_hasRun = false;
    return {.attempt = attempt, .cause = why, .budgetBefore = left, .budgetAfter = left - 1};
}

GroupRestarting RestartBudget::chargeFailure(int attempt, const Message& why, std::int64_t nowNs)
{
    m_failureChargedAtNs = nowNs;
    return charge(attempt, why);
}

GroupRestarting RestartBudget::dontCharge(int attempt, const Message& why) const
{
    const int left = m_maxRestarts - m_used;
    return {.attempt = attempt, .cause = why, .budgetBefore = left, .budgetAfter = left};
}

bool RestartBudget::placesLost()
{
    return std::exchange(m_hasRun, false);
}

bool RestartBudget::wasLossCharged(std::int64_t nowNs)
{
    const std::int64_t failedAt = std::exchange(m_failureChargedAtNs, 0);
    return failedAt != 0 && nowNs - failedAt < SameCause.count();
}

} // namespace ringmaster
