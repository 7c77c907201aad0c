#pragma once

#include <charconv>
#include <string>

namespace ringmaster {

// An agent of a job on several hosts is called by its host's number and how often one was started
// there: "1.3" is the third of host "1", which comes after "1" and "1.2".

inline std::string hostNumberOf(const std::string& agent)
{
    return agent.substr(0, agent.find('.'));
}

inline int startOf(const std::string& agent)
{
    int start = 1;
    if (const size_t dot = agent.find('.'); dot != std::string::npos)
        std::from_chars(agent.data() + dot + 1, agent.data() + agent.size(), start);
    return start;
}

inline std::string agentName(const std::string& hostNumber, int start)
{
    return start > 1 ? hostNumber + "." + std::to_string(start) : hostNumber;
}

} // namespace ringmaster
