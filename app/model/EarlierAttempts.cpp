#include "app/model/EarlierAttempts.h"

#include <algorithm>

namespace ringmaster::app {

void EarlierAttempts::keep(const RunSnapshot& run, const RankHealth& health)
{
    EarlierAttempt attempt{.number = run.attempt, .workers = run.workers};
    for (const WorkerSnapshot& worker : run.workers)
        attempt.health.push_back(health.of(worker));
    if (run.firstCause && run.firstCause->sure && run.firstCause->attempt == run.attempt)
        attempt.firstCause = run.firstCause->globalRank;
    m_workers += attempt.workers.size();
    m_attempts.push_back(std::move(attempt));
    while (m_workers > MaxWorkers && m_attempts.size() > 1) {
        m_workers -= m_attempts.front().workers.size();
        m_attempts.pop_front();
    }
}

const EarlierAttempt* EarlierAttempts::find(int number) const
{
    const auto found = std::ranges::find(m_attempts, number, &EarlierAttempt::number);
    return found == m_attempts.end() ? nullptr : &*found;
}

} // namespace ringmaster::app
