#include "engine/remote/RunEnds.h"

#include "engine/agent/FailureReport.h"

namespace ringmaster {

void RunEnds::happened(const Event& event)
{
    if (const auto* exit = std::get_if<WorkerExited>(&event.body)) {
        m_ends.erase(m_ends.begin(), m_ends.lower_bound(exit->attempt));
        m_ends[exit->attempt].push_back({.exit = *exit, .at = event.at});
    }
    if (const auto* cause = std::get_if<FirstCause>(&event.body))
        m_cause = *cause;
}

std::string RunEnds::report(const std::string& name, const std::string& host) const
{
    const auto ends = m_cause ? m_ends.find(m_cause->attempt) : m_ends.end();
    if (ends == m_ends.end())
        return {};
    const FailureReport report({.name = name, .hostName = host}, ends->second, *m_cause);
    return report.asTorchrun() + report.readable();
}

} // namespace ringmaster
