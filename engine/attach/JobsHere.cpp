#include "engine/attach/JobsHere.h"

#include "engine/attach/Codes.h"
#include "engine/attach/JobEnd.h"
#include "engine/attach/JobFinder.h"
#include "engine/attach/JobLook.h"
#include "engine/attach/ProcessTable.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr auto BetweenLooks = std::chrono::seconds(2);

/// As it is now: what is done to a job goes by the processes that it has, not by what somebody says
/// that it had.
Result<ForeignJob> jobOf(const NamedJob& named)
{
    std::vector<ForeignJob> jobs = findJobs(readProcessTable());
    const auto job = std::ranges::find_if(
        jobs, [&](const ForeignJob& known) { return known.identity() == named.identity; });
    if (job == jobs.end())
        return fail(code::ForeignJobGone, {{"name", named.name}});
    return std::move(*job);
}

} // namespace

Result<JobFindings> JobsHere::look(const NamedJob& job)
{
    ForeignJob known = RM_TRY(jobOf(job));
    numberByLedgers(known);
    JobLook look(known, BetweenLooks);
    {
        const std::scoped_lock lock(m_mutex);
        if (m_isCancelled)
            return fail(code::ForeignJobGone, {{"name", job.name}});
        m_look = &look;
    }
    const SeenJob seen = look.take();
    const std::scoped_lock lock(m_mutex);
    m_look = nullptr;
    return findingsOf(seen);
}

Result<void> JobsHere::end(const NamedJob& job)
{
    return endJob(RM_TRY(jobOf(job)));
}

void JobsHere::cancel()
{
    const std::scoped_lock lock(m_mutex);
    m_isCancelled = true;
    if (m_look != nullptr)
        m_look->cancel();
}

} // namespace ringmaster
