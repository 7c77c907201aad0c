#pragma once

#include "engine/agent/Failure.h"
#include "engine/event/Event.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// How the workers of all hosts have ended, put on the lead's clock: who was first among them.
class GatheredEnds
{
public:
    void measured(const ClockMeasured& clock) { m_clocks[clock.agent] = clock; }
    void exited(const std::string& agent, const WorkerExited& exit, const Moment& at,
                const std::string& node);

    /// Of an attempt; sure only beyond what the clocks' bounds leave open.
    std::optional<FirstCause> firstCause(int attempt) const;
    /// The agent whose workers that cause was among; empty: nobody knows, or several.
    std::string agentOf(const FirstCause& cause) const;
    std::vector<Failure> of(int attempt) const;

private:
    struct End
    {
        std::string agent{};
        Failure failure{};
    };

    std::map<std::string, ClockMeasured> m_clocks;
    std::map<int, std::vector<End>> m_ends; ///< By attempt; the last ones only.
};

} // namespace ringmaster
