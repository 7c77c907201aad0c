#pragma once

#include "engine/agent/StopRequests.h"
#include "engine/agent/StopRules.h"
#include "engine/event/Command.h"

#include <optional>

namespace ringmaster {

/// Why a job on several hosts is ended before its workers are done: who has asked for it, and
/// whether again, or which of its rules says so; and the exit code that follows. Pure: the caller
/// brings events and the time, and does the ending.
class JobEnding
{
public:
    /// What the agents of the hosts are to do.
    struct Stop
    {
        Message reason{};
        RunState end = RunState::Stopped;
        bool isNow = false; ///< Without the grace.
    };

    explicit JobEnding(const JobSpec& spec) : m_rules(spec) {}

    /// The run began at `beganWallNs`: one that was taken over, under another lead.
    void begin(const Moment& now, std::int64_t beganWallNs);
    void happened(const EventBody& body, std::int64_t nowNs) { m_rules.happened(body, nowNs); }
    /// Which rule ends the run now; said once.
    std::optional<Message> due(std::int64_t nowNs) { return m_rules.due(nowNs); }

    /// Nothing: an echo. `hasStarted`: there has been an attempt.
    std::optional<Stop> signalled(int signal, bool hasStarted, std::int64_t nowNs);
    Stop commanded(const StopRun& command);
    /// By a rule of the job, or because it can't go on.
    Stop failed(const Message& why);
    /// The lead before this one had been asked, for this reason.
    Stop resumed(const Message& why);

    /// The run is over.
    RunStateChanged over(RunState state, const Message& reason) const;

private:
    StopRequests m_requests;
    StopRules m_rules;
    std::optional<int> m_exitCode; ///< Of who asked first.
};

} // namespace ringmaster
