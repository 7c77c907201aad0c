#include "engine/agent/GroupFailures.h"

#include "engine/agent/Codes.h"
#include "engine/agent/FirstCauseFinder.h"
#include "engine/event/Codes.h"
#include "engine/worker/Codes.h"

#include <algorithm>
#include <limits>

namespace ringmaster {

namespace {

/// Its delays hold for each agent; the budget is the job's, and its lead's to charge.
RestartSpec restartsOf(const JobSpec& spec, const AgentOptions& options)
{
    RestartSpec restarts = spec.restart;
    if (options.isLed)
        restarts.maxRestarts = std::numeric_limits<int>::max();
    return restarts;
}

/// As far as is known before the others have ended.
Message reasonOf(const WorkerGroup& group)
{
    const auto& workers = group.workers();
    auto failed = std::ranges::find_if(workers, &Worker::isKilledByDrill);
    if (failed == workers.end())
        failed = std::ranges::find_if(workers, &Worker::failed);
    if (failed == workers.end())
        return {.code = code::KeeperLost};
    return {.code = failed->isKilledByDrill() ? code::RankEndedByDrill : code::WorkerFailed,
            .parameters = {{"rank", std::to_string(failed->assignment.globalRank)}}};
}

} // namespace

GroupFailures::GroupFailures(const JobSpec& spec, const AgentOptions& options,
                             AgentEventEmitter& emitter)
    : m_maxRestarts(spec.restart.maxRestarts)
    , m_isLed(options.isLed)
    , m_emitter(emitter)
    , m_policy(restartsOf(spec, options))
    , m_rule(spec.restart)
{
}

PendingTransition GroupFailures::groupFailed(const WorkerGroup& group,
                                             std::chrono::nanoseconds ranFor)
{
    const auto decision = m_policy.groupFailed(ranFor);
    const Message reason = reasonOf(group);
    if (!decision.refusal) {
        m_emitter.runState(RunState::Restarting, reason);
        return RestartRequest{.cause = reason, .isCharged = true, .decision = decision};
    }
    m_emitter.runState(RunState::Stopping, reason);
    if (decision.refusal == RestartPolicy::Refusal::FailedTooSoon)
        m_emitter.notice(
            Notice::Severity::Warning, -1,
            {.code = code::FailedTooSoon,
             .parameters = {{"seconds", std::to_string(ranFor / std::chrono::seconds(1))}}});
    else if (m_maxRestarts > 0)
        m_emitter.notice(Notice::Severity::Warning, -1,
                         {.code = code::RestartBudgetSpent,
                          .parameters = {{"budget", std::to_string(m_maxRestarts)}}});
    return StopRequest{.reason = reason, .isGroupFailure = true};
}

RestartRequest GroupFailures::uncharged(const Message& cause) const
{
    return {.cause = cause,
            .decision = {.budgetBefore = m_policy.left(), .budgetAfter = m_policy.left()}};
}

void GroupFailures::groupEnded(const WorkerGroup& group, const PendingTransition& follows)
{
    const auto* again = std::get_if<RestartRequest>(&follows);
    const auto* end = std::get_if<StopRequest>(&follows);
    if (!(again && again->isCharged) && !(end && end->isGroupFailure))
        return;
    m_firstCause = FirstCauseFinder(group.ends()).find(group.attempt().attempt);
    if (m_firstCause)
        m_emitter.emit(*m_firstCause);
}

bool GroupFailures::refuses(const RestartRequest& restart, const WorkerGroup& group)
{
    if (!restart.isCharged || m_isLed)
        return false;
    const auto refusal = m_rule.refusal(group.ends(), m_firstCause);
    if (!refusal)
        return false;
    m_emitter.notice(Notice::Severity::Warning, -1, *refusal);
    m_emitter.runState(RunState::Stopping, *refusal);
    return true;
}

} // namespace ringmaster
