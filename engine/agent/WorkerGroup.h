#pragma once

#include "engine/agent/Failure.h"
#include "engine/base/Clock.h"
#include "engine/event/Event.h"
#include "engine/worker/ExitExplanation.h"

#include <optional>
#include <vector>

namespace ringmaster {

/// One worker of one attempt, as far as it has come.
struct Worker
{
    WorkerAssignment assignment{};
    std::string errorFile{}; ///< Where torch's @record would write; empty: nowhere.
    int pid = 0;
    WorkerState state = WorkerState::Init;
    bool isLost = false;     ///< Never started, or gone with its keeper: no exit will come.
    bool wasAsked = false;   ///< By the agent, to end; it may have ended before it was told.
    bool hasSession = false; ///< It ended when told to; some of its processes still do so.
    int userSignal = 0;      ///< The last one that the user had sent to it.
    bool isDrill = false;    ///< That signal was a fire drill's.
    Message pendingCause{};  ///< Why else the agent ended it: a timer that it let expire.
    Moment pendingCauseAt{}; ///< When that was.
    Message deviceFault{};   ///< The last that a GPU reported on which it computed.
    Moment deviceFaultAt{};
    WorkerExit seenExit{};
    std::optional<WorkerExited> exit{};
    std::optional<ErrorReport> error{};
    std::string stderrTail{};

    bool isStarting() const { return pid == 0 && !isLost; }
    bool isRunning() const { return pid > 0 && !exit && !isLost; }
    bool succeeded() const { return exit && exit->status.succeeded(); }
    bool failed() const { return exit && !exit->status.succeeded(); }
    bool isKilledByDrill() const { return isDrill && exit && exit->status.signal == userSignal; }
};

/// The workers of one attempt, by local rank; they are started, judged and stopped together.
class WorkerGroup
{
public:
    WorkerGroup() = default;
    WorkerGroup(AttemptStarted attempt, const std::vector<WorkerAssignment>& workers);

    const AttemptStarted& attempt() const { return m_attempt; }
    const std::vector<Worker>& workers() const { return m_workers; }
    std::vector<Worker>& workers() { return m_workers; }
    Worker* find(int localRank);
    Worker* findGlobal(int globalRank);

    /// What the workers are to write to.
    AttemptOutputRequest outputRequest() const;
    /// Where the output hub put the logs; to be told before the start.
    void setPlaces(const AttemptOutput& output);

    bool allStarted() const;
    bool allSucceeded() const; ///< A worker that left early with 0 is just done.
    bool anyLeft() const;      ///< Running, or about to.
    bool isGone() const;       ///< None is left, nor of its session where it was told to end.

    /// Records how a worker ended. The agent ended it if it was told so before.
    void setExit(Worker& worker, const WorkerExit& exit);
    void explain(Worker& worker, const WorkerExitReport& report,
                 OutOfMemoryWatch::Finding outOfMemory);

    /// A GPU has reported something that concerns these processes; the global ranks among them.
    std::vector<int> deviceFailed(const Message& what, const std::vector<pid_t>& pids,
                                  const Moment& at);

    static Failure endOf(const Worker& worker);

    /// Of those that have exited, in the order in which they did.
    std::vector<Failure> ends() const;

private:
    AttemptStarted m_attempt;
    std::vector<Worker> m_workers;
};

} // namespace ringmaster
