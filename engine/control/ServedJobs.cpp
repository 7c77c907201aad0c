#include "engine/control/ServedJobs.h"

#include <utility>

namespace ringmaster {

void ServedJobs::find(Answer<std::vector<WatchedJob>> answer)
{
    m_thread.post([this, answer = std::move(answer)] { answer(m_jobs.find()); });
}

void ServedJobs::look(NamedJob job, Answer<JobFindings> answer)
{
    m_thread.post(
        [this, job = std::move(job), answer = std::move(answer)] { answer(m_jobs.look(job)); });
}

void ServedJobs::endJob(NamedJob job, Answer<void> answer)
{
    m_thread.post(
        [this, job = std::move(job), answer = std::move(answer)] { answer(m_jobs.end(job)); });
}

void ServedJobs::end()
{
    m_jobs.cancel();
    m_thread.stop();
}

} // namespace ringmaster
