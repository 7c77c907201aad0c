#pragma once

#include "engine/event/Event.h"
#include "engine/job/Sweep.h"
#include "engine/worker/hook/StartHook.h"

#include <optional>

namespace ringmaster {

/// Makes events of what a sweep's first rank reports. Only figures come from there, and only in the
/// order of the plan: what was measured, the job says. Pure.
class SweepReports
{
public:
    /// Nothing is heard of a job that isn't a sweep.
    explicit SweepReports(const JobSpec& spec);

    /// With workers on all hosts together.
    void attemptStarted(int attempt, int worldSize);
    std::optional<EventBody> heard(const HookReport& report);

private:
    std::optional<EventBody> planned(const HookReport& report);
    std::optional<EventBody> leftOut(const HookReport& report) const;
    std::optional<EventBody> measured(const HookReport& report);
    SweepRow nextRow() const;

    std::optional<SweepRequest> m_request;
    int m_worldSize = 0;
    int m_attempt = 0;
    std::optional<SweepPlan> m_plan;
    std::uint64_t m_next = 0;
};

} // namespace ringmaster
