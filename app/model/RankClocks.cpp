#include "app/model/RankClocks.h"

#include <algorithm>

namespace ringmaster::app {

RankClocks::RankClocks(const RunSnapshot& run, LeadClock clock) : m_clock(std::move(clock))
{
    for (const WorkerSnapshot& worker : run.workers)
        m_agents[worker.assignment.globalRank] = worker.agent;
}

std::int64_t RankClocks::errorNs(int rank, int other, std::int64_t atNs) const
{
    const auto one = m_agents.find(rank);
    const auto two = m_agents.find(other);
    return one == m_agents.end() || two == m_agents.end()
               ? 0
               : m_clock.errorNs(one->second, two->second, atNs);
}

std::int64_t RankClocks::errorNs(const OperationSummary::Collective& collective) const
{
    const OperationSummary::Arrival& last = collective.last();
    std::int64_t most = 0;
    for (const OperationSummary::Arrival& arrival : collective.arrivals)
        most = std::max(most, errorNs(last.rank, arrival.rank, last.enteredNs));
    return most;
}

bool RankClocks::isCertain(const OperationSummary::Collective& collective) const
{
    const OperationSummary::Arrival& last = collective.last();
    return std::ranges::all_of(collective.arrivals, [&](const OperationSummary::Arrival& arrival) {
        return last.enteredNs - arrival.enteredNs >=
               errorNs(last.rank, arrival.rank, last.enteredNs);
    });
}

} // namespace ringmaster::app
