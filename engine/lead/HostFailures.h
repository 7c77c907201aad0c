#pragma once

#include "engine/event/Event.h"

#include <map>
#include <optional>
#include <string>

namespace ringmaster {

/// How many failures of a job began on each of its hosts, and which hosts it therefore goes on
/// without (restart.leave_host_out_after). Pure.
class HostFailures
{
public:
    /// 0: none is left out, and nothing is counted.
    explicit HostFailures(int limit) : m_limit(limit) {}

    /// As another lead had counted.
    void resume(std::map<std::string, int> counts) { m_counts = std::move(counts); }
    /// Another lead has left it out.
    void leaveOut(const std::string& host);
    /// One more. What is to be said of it: nothing where no host, or no rule, is named.
    std::optional<Notice> failed(const std::string& host);

    bool isLeftOut(const std::string& host) const;
    /// Of one that is left out.
    Message why(const std::string& host) const;
    /// The same where the job can't go on without it.
    Message whyItEnds(const std::string& host, int left, int needed) const;

private:
    int count(const std::string& host) const;

    int m_limit;
    std::map<std::string, int> m_counts;
};

} // namespace ringmaster
