#include "engine/lead/JobFailures.h"

#include <utility>

namespace ringmaster {

std::optional<FirstCause> JobFailures::firstCause(int attempt)
{
    m_cause = m_ends.firstCause(attempt);
    return m_cause;
}

std::optional<Message> JobFailures::refusal(int attempt) const
{
    return m_rule.refusal(m_ends.of(attempt), m_cause);
}

std::string JobFailures::guiltyAgent(int attempt) const
{
    return m_cause && m_cause->attempt == attempt ? m_ends.agentOf(*m_cause) : std::string();
}

std::optional<FailureReport> JobFailures::report(FailureReport::About about) const
{
    if (!m_cause)
        return std::nullopt;
    return FailureReport(std::move(about), m_ends.of(m_cause->attempt), *m_cause);
}

} // namespace ringmaster
