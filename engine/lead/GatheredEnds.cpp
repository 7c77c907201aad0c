#include "engine/lead/GatheredEnds.h"

#include "engine/agent/Codes.h"
#include "engine/agent/FirstCauseFinder.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t AttemptsKept = 3;

bool isOfDevice(Code code)
{
    return code == code::GpuXid || code == code::GpuXidOfProgram || code == code::GpuMemoryError;
}

/// What its agent has explained the end by says more.
bool isExplainedBetter(const Failure& failure, const Message& fault)
{
    const Code known = failure.exit.explanation.code;
    const bool isOfAfterwards = isOfCleanUp(fault) && isOfDevice(known);
    return known == code::TimerExpired || isOfAfterwards ||
           kindOf(failure) == FailureKind::UserEnded;
}

} // namespace

void GatheredEnds::happened(const std::string& agent, const Event& event)
{
    if (const auto* attempt = std::get_if<AttemptStarted>(&event.body))
        m_attempts[agent] = attempt->attempt;
    if (const auto* exit = std::get_if<WorkerExited>(&event.body))
        exited(agent, *exit, event.at, event.node);
    if (const auto* notice = std::get_if<Notice>(&event.body);
        notice != nullptr && isOfDevice(notice->message.code))
        deviceFailed(agent, *notice, event.at);
}

/// Of one that was told before the end, the agent's explanation of that knows.
void GatheredEnds::deviceFailed(const std::string& agent, const Notice& fault, const Moment& at)
{
    const auto attempt = m_attempts.find(agent);
    const auto ends = attempt == m_attempts.end() ? m_ends.end() : m_ends.find(attempt->second);
    if (ends == m_ends.end())
        return;
    for (End& end : ends->second) {
        const bool isIts = end.agent == agent && end.failure.exit.globalRank == fault.globalRank;
        if (isIts && hasEndedOf(fault.message, at, end.failure) &&
            !isExplainedBetter(end.failure, fault.message))
            end.failure.exit.explanation = fault.message;
    }
}

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
