#include "engine/lead/JobEnding.h"

#include "engine/agent/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/event/Codes.h"

#include <algorithm>

namespace ringmaster {

void JobEnding::begin(const Moment& now, std::int64_t beganWallNs)
{
    m_rules.begin(now.monotonicNs,
                  std::chrono::nanoseconds(std::max<std::int64_t>(0, now.wallNs - beganWallNs)));
}

std::optional<JobEnding::Stop> JobEnding::signalled(int signal, bool hasStarted, std::int64_t nowNs)
{
    const auto request = m_requests.signalled(signal, nowNs);
    if (request == StopRequests::Kind::Echo)
        return std::nullopt;
    m_exitCode = m_exitCode.value_or(hasStarted ? 1 : 128 + signal);
    return Stop{.reason = {code::SignalReceived, {{"signal", signalName(signal)}}, {}},
                .isNow = request == StopRequests::Kind::Again};
}

JobEnding::Stop JobEnding::commanded(const StopRun& command)
{
    const bool isAgain = m_requests.asked() == StopRequests::Kind::Again;
    m_exitCode = m_exitCode.value_or(1);
    return {.reason = {code::UserStopped, {}, {}}, .isNow = command.now || isAgain};
}

JobEnding::Stop JobEnding::failed(const Message& why)
{
    Stop stop = resumed(why);
    stop.end = RunState::Failed;
    return stop;
}

JobEnding::Stop JobEnding::resumed(const Message& why)
{
    (void)m_requests.asked();
    m_exitCode = m_exitCode.value_or(1);
    return {.reason = why};
}

RunStateChanged JobEnding::over(RunState state, const Message& reason) const
{
    const int failed = state == RunState::Stopped ? m_exitCode.value_or(1) : 1;
    return {
        .state = state, .reason = reason, .exitCode = state == RunState::Succeeded ? 0 : failed};
}

} // namespace ringmaster
