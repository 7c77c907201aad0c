#pragma once

#include "engine/event/Health.h"

#include <deque>
#include <vector>

namespace ringmaster::app {

/// An attempt of the worker group that is over, as it stood when the next one was started.
struct EarlierAttempt
{
    int number = 0; ///< From 0.
    std::vector<WorkerSnapshot> workers{};
    std::vector<Health> health{}; ///< Of each of them.
    int firstCause = -1;          ///< The rank; -1: none is known for sure.
};

/// The workers of a run's earlier attempts. Bounded: the oldest attempts go first.
class EarlierAttempts
{
public:
    static constexpr size_t MaxWorkers = 20'000;

    /// `run` as it is before the next attempt begins.
    void keep(const RunSnapshot& run, const RankHealth& health);
    /// Null: it isn't over, or isn't kept any more.
    const EarlierAttempt* find(int number) const;

private:
    std::deque<EarlierAttempt> m_attempts;
    size_t m_workers = 0;
};

} // namespace ringmaster::app
