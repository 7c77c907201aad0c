#pragma once

#include "engine/agent/Failure.h"
#include "engine/event/Event.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// How the workers of a run have ended, from its events: for the report that ends a failed one.
class RunEnds
{
public:
    void happened(const Event& event);

    /// torchrun's, then the one for people; empty where no worker is to blame. `name` is the
    /// script's as typed.
    std::string report(const std::string& name, const std::string& host) const;

private:
    std::map<int, std::vector<Failure>> m_ends; ///< By attempt; the newest only.
    std::optional<FirstCause> m_cause;
};

} // namespace ringmaster
