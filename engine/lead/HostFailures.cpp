#include "engine/lead/HostFailures.h"

#include "engine/lead/Codes.h"

#include <algorithm>

namespace ringmaster {

int HostFailures::count(const std::string& host) const
{
    const auto known = m_counts.find(host);
    return known != m_counts.end() ? known->second : 0;
}

void HostFailures::leaveOut(const std::string& host)
{
    m_counts[host] = std::max(m_counts[host], m_limit);
}

std::optional<Notice> HostFailures::failed(const std::string& host)
{
    if (m_limit <= 0 || host.empty())
        return std::nullopt;
    ++m_counts[host];
    if (isLeftOut(host))
        return Notice{.severity = Notice::Severity::Warning, .message = why(host)};
    return Notice{.severity = Notice::Severity::Info,
                  .message = {code::HostFailuresCounted,
                              {{"host", host},
                               {"count", std::to_string(count(host))},
                               {"limit", std::to_string(m_limit)}},
                              {}}};
}

bool HostFailures::isLeftOut(const std::string& host) const
{
    return m_limit > 0 && count(host) >= m_limit;
}

Message HostFailures::why(const std::string& host) const
{
    return {code::HostFailedTooOften, {{"host", host}, {"count", std::to_string(count(host))}}, {}};
}

Message HostFailures::whyItEnds(const std::string& host, int left, int needed) const
{
    Message why{code::NeededHostFailedTooOften, this->why(host).parameters, {}};
    why.parameters["left"] = std::to_string(left);
    why.parameters["needed"] = std::to_string(needed);
    return why;
}

} // namespace ringmaster
