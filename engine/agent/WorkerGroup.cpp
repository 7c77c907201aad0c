#include "engine/agent/WorkerGroup.h"

#include <algorithm>

namespace ringmaster {

WorkerGroup::WorkerGroup(AttemptStarted attempt, const std::vector<WorkerAssignment>& workers)
    : m_attempt(std::move(attempt))
{
    for (const WorkerAssignment& assignment : workers)
        m_workers.push_back({.assignment = assignment});
    m_attempt.workers = workers;
}

Worker* WorkerGroup::find(int localRank)
{
    const auto index = static_cast<std::size_t>(localRank);
    return localRank >= 0 && index < m_workers.size() ? &m_workers[index] : nullptr;
}

Worker* WorkerGroup::findGlobal(int globalRank)
{
    const auto found = std::ranges::find_if(m_workers, [globalRank](const Worker& worker) {
        return worker.assignment.globalRank == globalRank;
    });
    return found != m_workers.end() ? &*found : nullptr;
}

void WorkerGroup::setPlaces(const AttemptOutput& output)
{
    m_attempt.logFolder = output.folder;
    for (const AttemptOutput::Worker& place : output.workers) {
        if (Worker* worker = find(place.localRank)) {
            worker->assignment.logFolder = place.logFolder;
            worker->errorFile = place.errorFile;
            m_attempt.workers[static_cast<std::size_t>(place.localRank)] = worker->assignment;
        }
    }
}

bool WorkerGroup::allStarted() const
{
    return std::ranges::all_of(m_workers, [](const Worker& worker) { return worker.pid > 0; });
}

bool WorkerGroup::allSucceeded() const
{
    return std::ranges::all_of(m_workers, &Worker::succeeded);
}

bool WorkerGroup::anyRunning() const
{
    return std::ranges::any_of(m_workers, &Worker::isRunning);
}

bool WorkerGroup::anyFailed() const
{
    return std::ranges::any_of(
        m_workers, [](const Worker& worker) { return worker.failed() && !worker.endedByAgent; });
}

std::vector<const Worker*> WorkerGroup::byExit() const
{
    std::vector<const Worker*> exited;
    for (const Worker& worker : m_workers)
        if (worker.exit)
            exited.push_back(&worker);
    std::ranges::stable_sort(exited, {}, [](const Worker* worker) { return worker->exitedAt; });
    return exited;
}

} // namespace ringmaster
