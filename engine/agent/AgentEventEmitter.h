#pragma once

#include "engine/agent/AgentConsole.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/EventLogHandler.h"
#include "engine/agent/EventSink.h"
#include "engine/agent/PendingTransition.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/job/JobSpec.h"
#include "engine/rendezvous/Rendezvous.h"

#include <functional>
#include <optional>
#include <string_view>

namespace ringmaster {

/// All that an agent says: facts for its sink, lines for its console in torchrun's shape, and the
/// error file that whoever started it may have asked for. How the run ended is the last fact: what
/// would be said after it is dropped.
class AgentEventEmitter
{
public:
    struct Parts
    {
        const Clock& clock;
        EventSink& events;
        std::function<void(std::string_view text)> printed{}; ///< Complete lines.
    };

    AgentEventEmitter(const JobSpec& spec, const AgentOptions& options, Parts parts);

    void emit(const EventBody& body) { emit(body, m_clock.now()); }
    void emit(const EventBody& body, const Moment& at);
    void step(RendezvousStep::Step step, const Message& detail = {});
    void joined(const Round& round);
    void notice(Notice::Severity severity, int globalRank, Message message);
    void runState(RunState state, const Message& reason = {}, int exitCode = 0);
    void workerState(Worker& worker, WorkerState state, const Moment& at);
    void setAttempt(int attempt) { m_attempt = attempt; }

    /// A line of the agent's own log.
    void warn(std::string_view text) { m_console.warning(text); }

    /// What the console has to say at the end.
    void report(const StopRequest& end, const WorkerGroup& group,
                const std::optional<FirstCause>& cause);

    /// Writes TORCHELASTIC_ERROR_FILE of the agent's own environment, if that is set.
    void copyErrorFile(const StopRequest& end, const WorkerGroup& group,
                       const std::optional<FirstCause>& cause);

    RunState state() const { return m_state; }

private:
    const JobSpec& m_spec;
    const AgentOptions& m_options;
    const Clock& m_clock;
    EventSink& m_events;
    AgentConsole m_console;
    std::optional<EventLogHandler> m_eventLog{};
    RunState m_state = RunState::Starting;
    bool m_hasEnded = false;
    int m_attempt = 0;
};

} // namespace ringmaster
