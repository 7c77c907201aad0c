#pragma once

#include "engine/agent/AgentEventEmitter.h"
#include "engine/agent/AgentOptions.h"
#include "engine/agent/PendingTransition.h"
#include "engine/agent/RestartPolicy.h"
#include "engine/agent/RestartRule.h"
#include "engine/agent/WorkerGroup.h"
#include "engine/job/JobSpec.h"

#include <chrono>
#include <optional>

namespace ringmaster {

/// What a failure of the worker group leads to: another attempt where the job's budget and its rule
/// allow that, else the end. Names the first cause of it, and says both as events. Pure but for
/// those.
class GroupFailures
{
public:
    /// Options and emitter outlive this.
    GroupFailures(const JobSpec& spec, const AgentOptions& options, AgentEventEmitter& emitter);

    void attemptBegins() { m_firstCause.reset(); }
    /// After so long. The answer is for when the group is gone; the budget is charged.
    PendingTransition groupFailed(const WorkerGroup& group, std::chrono::nanoseconds ranFor);
    /// A restart for which nothing has failed.
    RestartRequest uncharged(const Message& cause) const;

    /// It is gone, and this follows: names what it failed of, if it did.
    void groupEnded(const WorkerGroup& group, const PendingTransition& follows);
    /// After groupEnded(), when all is known that the failed ranks printed: a rule forbids it.
    bool refuses(const RestartRequest& restart, const WorkerGroup& group);

    /// Of this attempt.
    const std::optional<FirstCause>& firstCause() const { return m_firstCause; }
    int restartsUsed() const { return m_policy.used(); }

private:
    const int m_maxRestarts;
    const bool m_isLed;
    AgentEventEmitter& m_emitter;
    RestartPolicy m_policy;
    const RestartRule m_rule;
    std::optional<FirstCause> m_firstCause{};
};

} // namespace ringmaster
