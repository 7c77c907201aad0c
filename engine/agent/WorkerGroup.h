#pragma once

#include "engine/base/Clock.h"
#include "engine/event/Event.h"

#include <optional>
#include <vector>

namespace ringmaster {

/// One worker of one attempt, as far as it has come.
struct Worker
{
    WorkerAssignment assignment{};
    int pid = 0;
    WorkerState state = WorkerState::Init;
    bool signalled = false; ///< The agent sent it a signal that ends it, before its exit.
    Moment startedAt{};
    Moment exitedAt{};
    std::optional<WorkerExited> exit{};

    bool isRunning() const { return pid > 0 && !exit; }
    bool failed() const { return exit && !exit->status.succeeded(); }
};

/// The workers of one attempt, by local rank; they are started, judged and stopped together.
class WorkerGroup
{
public:
    WorkerGroup() = default;
    explicit WorkerGroup(AttemptStarted attempt);

    const AttemptStarted& attempt() const { return m_attempt; }
    std::vector<Worker>& workers() { return m_workers; }
    const std::vector<Worker>& workers() const { return m_workers; }

    Worker* atLocalRank(int localRank);
    const Worker* atGlobalRank(int globalRank) const;

    bool isEmpty() const { return m_workers.empty(); }
    bool allStarted() const;   ///< Every one has had a process, or never will.
    bool allSucceeded() const; ///< A worker that left early with 0 is just done.
    bool anyRunning() const;
    std::vector<WorkerExited> exits() const; ///< In the order in which they happened.

private:
    AttemptStarted m_attempt;
    std::vector<Worker> m_workers;
};

} // namespace ringmaster
