#pragma once

#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/WatchdogTimer.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/base/EventLoop.h"

#include <memory>
#include <string>

namespace ringmaster {

/// torch's file timers of the workers, where the agent's environment asks for them: a worker that
/// lets one expire gets the signal that its program has asked for. Lives on the loop's thread.
class WorkerTimers final : WatchdogTimer::Host
{
public:
    struct Parts
    {
        EventLoop& loop;
        const Clock& clock;
        AgentEventEmitter& emitter;
        WorkerGroup& group; ///< The one that runs.
    };

    /// The options outlive this.
    WorkerTimers(const AgentOptions& options, Parts parts);
    ~WorkerTimers() override;
    WorkerTimers(const WorkerTimers&) = delete;
    WorkerTimers& operator=(const WorkerTimers&) = delete;

    /// Serves them from now on.
    void open();
    void close() { m_watchdog.reset(); }
    /// The workers of an attempt are gone.
    void forgetAll();

    /// Where workers write; empty: nobody serves them.
    std::string file() const;

private:
    std::string variable(const char* name) const;
    bool timerExpired(int pid, const std::string& scope, int signal) override;
    void timerMessageRefused(const std::string& what) override;

    const AgentOptions& m_options;
    Parts m_parts;
    std::unique_ptr<WatchdogTimer> m_watchdog;
};

} // namespace ringmaster
