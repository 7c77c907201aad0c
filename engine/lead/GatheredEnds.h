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
    /// What an agent tells, in order: its workers' ends, and which error of a GPU one of these was
    /// of, where that is known only after it.
    void happened(const std::string& agent, const Event& event);
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

    void deviceFailed(const std::string& agent, const Notice& fault, const Moment& at);

    std::map<std::string, ClockMeasured> m_clocks;
    std::map<std::string, int> m_attempts;  ///< The latest, by agent.
    std::map<int, std::vector<End>> m_ends; ///< By attempt; the last ones only.
};

} // namespace ringmaster
