#include "engine/lead/GatheredEnds.h"

#include "engine/agent/FirstCauseFinder.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t AttemptsKept = 3;

} // namespace

void GatheredEnds::exited(const std::string& agent, const WorkerExited& exit, const Moment& at,
                          const std::string& node)
{
    m_ends[exit.attempt].push_back({agent, Failure{.exit = exit, .at = at, .node = node}});
    while (m_ends.size() > AttemptsKept)
        m_ends.erase(m_ends.begin());
}

std::vector<Failure> GatheredEnds::of(int attempt) const
{
    std::vector<Failure> failures;
    const auto ends = m_ends.find(attempt);
    if (ends == m_ends.end())
        return failures;
    for (const End& end : ends->second) {
        Failure failure = end.failure;
        if (const auto clock = m_clocks.find(end.agent); clock != m_clocks.end()) {
            failure.at.monotonicNs -= clock->second.monotonicOffsetNs;
            failure.at.wallNs -= clock->second.wallOffsetNs;
        }
        failures.push_back(std::move(failure));
    }
    return failures;
}

std::string GatheredEnds::agentOf(const FirstCause& cause) const
{
    const auto ends = m_ends.find(cause.attempt);
    if (ends == m_ends.end())
        return {};
    std::string agent;
    for (const End& end : ends->second) {
        const int rank = end.failure.exit.globalRank;
        const bool isGuilty = cause.globalRank >= 0
                                  ? rank == cause.globalRank
                                  : std::ranges::count(cause.candidates, rank) > 0;
        if (!isGuilty || end.agent == agent)
            continue;
        if (!agent.empty())
            return {};
        agent = end.agent;
    }
    return agent;
}

std::optional<FirstCause> GatheredEnds::firstCause(int attempt) const
{
    std::chrono::nanoseconds uncertainty = std::chrono::milliseconds(1);
    for (const auto& [agent, clock] : m_clocks)
        uncertainty = std::max(uncertainty, std::chrono::nanoseconds(2 * clock.boundNs));
    return FirstCauseFinder(of(attempt), uncertainty).find(attempt);
}

} // namespace ringmaster
