#include "engine/agent/WorkerGroup.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// What has ended it, where more is known than how it ended.
Message knownCause(const Worker& worker, const Failure& end)
{
    // What comes long before the end isn't why.
    if (worker.pendingCause.code != code::None && areNear(end.at, worker.pendingCauseAt))
        return worker.pendingCause;
    return hasEndedOf(worker.deviceFault, worker.deviceFaultAt, end) ? worker.deviceFault
                                                                     : Message();
}

/// The driver clears up after an error that says more.
bool isOfLastFault(const Worker& worker, const Message& what, const Moment& at)
{
    const Code last = worker.deviceFault.code;
    return isOfCleanUp(what) && last != code::None && !isOfCleanUp(worker.deviceFault) &&
           areNear(worker.deviceFaultAt, at);
}

} // namespace

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

AttemptOutputRequest WorkerGroup::outputRequest() const
{
    AttemptOutputRequest request{.attempt = m_attempt.attempt,
                                 .restartCount = m_attempt.restartCount};
    for (const WorkerAssignment& worker : m_attempt.workers)
        request.workers.push_back({worker.localRank, worker.globalRank, worker.role});
    return request;
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

bool WorkerGroup::anyLeft() const
{
    return std::ranges::any_of(
        m_workers, [](const Worker& worker) { return worker.isStarting() || worker.isRunning(); });
}

bool WorkerGroup::isGone() const
{
    return !anyLeft() && std::ranges::none_of(m_workers, &Worker::hasSession);
}

void WorkerGroup::setExit(Worker& worker, const WorkerExit& exit)
{
    worker.seenExit = exit;
    worker.hasSession = worker.wasAsked && exit.descendantsLeft > 0;
    worker.exit = WorkerExited{
        .attempt = m_attempt.attempt,
        .globalRank = worker.assignment.globalRank,
        .localRank = worker.assignment.localRank,
        .pid = worker.pid,
        .status = {.code = exit.code, .signal = exit.signal, .coreDumped = exit.coreDumped},
        .endedByAgent = exit.wasTold};
    if (exit.succeeded())
        worker.state = WorkerState::Succeeded;
    else
        worker.state = exit.wasTold ? WorkerState::Stopped : WorkerState::Failed;
}

void WorkerGroup::explain(Worker& worker, const WorkerExitReport& report,
                          OutOfMemoryWatch::Finding outOfMemory)
{
    WorkerExited& exit = *worker.exit;
    worker.error = report.error ? report.error : report.traceback;
    worker.stderrTail = report.stderrTail;
    if (report.error)
        exit.errorFile = worker.errorFile;
    if (worker.error && !exit.status.succeeded()) {
        exit.errorType = worker.error->type;
        exit.errorText = worker.error->text;
        exit.traceback = worker.error->traceback;
    }
    exit.explanation = knownCause(worker, {.exit = exit, .at = worker.seenExit.at});
    if (exit.explanation.code == code::None)
        exit.explanation = explainExit({.globalRank = exit.globalRank,
                                        .exit = worker.seenExit,
                                        .endedByAgent = exit.endedByAgent,
                                        .userSignal = worker.userSignal,
                                        .isDrill = worker.isDrill,
                                        .outOfMemory = outOfMemory,
                                        .exitReport = report});
}

std::vector<int> WorkerGroup::deviceFailed(const Message& what, const std::vector<pid_t>& pids,
                                           const Moment& at)
{
    std::vector<int> ranks;
    for (Worker& worker : m_workers) {
        if (std::ranges::find(pids, worker.pid) == pids.end())
            continue;
        ranks.push_back(worker.assignment.globalRank);
        if (isOfLastFault(worker, what, at))
            continue;
        worker.deviceFault = what;
        worker.deviceFaultAt = at;
    }
    return ranks;
}

Failure WorkerGroup::endOf(const Worker& worker)
{
    Failure end{.exit = *worker.exit,
                .at = worker.seenExit.at,
                .userSignal = worker.userSignal,
                .stderrTail = worker.stderrTail,
                .logFolder = worker.assignment.logFolder};
    // A GPU's error may have come after the end was explained.
    if (Message cause = knownCause(worker, end); cause.code != code::None)
        end.exit.explanation = std::move(cause);
    if (worker.error) {
        end.raisedAt = worker.error->timestamp;
        end.file = worker.error->file;
        end.line = worker.error->line;
    }
    return end;
}

std::vector<Failure> WorkerGroup::ends() const
{
    std::vector<Failure> ends;
    for (const Worker& worker : m_workers)
        if (worker.exit)
            ends.push_back(endOf(worker));
    std::ranges::stable_sort(ends, {}, &Failure::at);
    return ends;
}

} // namespace ringmaster
