#pragma once

#include "engine/agent/FailureReport.h"
#include "engine/agent/RestartRule.h"
#include "engine/lead/GatheredEnds.h"

#include <optional>
#include <string>

namespace ringmaster {

/// What the attempts of a job on several hosts failed of: the first cause among all their workers,
/// where that was, and whether the job's rule forbids another attempt. Pure.
class JobFailures
{
public:
    explicit JobFailures(const RestartSpec& spec) : m_rule(spec) {}

    /// Goes on from what another lead has gathered.
    void resume(GatheredEnds ends) { m_ends = std::move(ends); }
    GatheredEnds& ends() { return m_ends; }

    /// Of an attempt that has failed; it is the one that the report is about, until another has.
    std::optional<FirstCause> firstCause(int attempt);
    /// Why that attempt isn't tried again; nothing: it may be.
    std::optional<Message> refusal(int attempt) const;
    /// Whose workers the cause was among; empty: that isn't known.
    std::string guiltyAgent(int attempt) const;
    /// The job ends for another reason.
    void forgetCause() { m_cause.reset(); }

    /// What the job failed of; nothing where that was none of its workers.
    std::optional<FailureReport> report(FailureReport::About about) const;

private:
    GatheredEnds m_ends;
    RestartRule m_rule;
    std::optional<FirstCause> m_cause; ///< Of the last attempt that failed.
};

} // namespace ringmaster
