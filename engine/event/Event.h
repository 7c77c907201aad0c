#pragma once

#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/base/Error.h"
#include "engine/event/DeviceEvents.h"
#include "engine/event/Evidence.h"
#include "engine/event/Fields.h"
#include "engine/event/HostEvents.h"
#include "engine/event/LessonEvents.h"
#include "engine/event/SweepEvents.h"
#include "engine/event/Verdict.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ringmaster {

/// torchelastic's WorkerState, by its names, for a worker and for the worker group.
enum class WorkerState { Unknown, Init, Healthy, Unhealthy, Stopped, Succeeded, Failed };

/// Of the whole run, as people speak of it. Lost: its agent is gone without having said how it
/// ended.
enum class RunState { Starting, Running, Restarting, Stopping, Succeeded, Failed, Stopped, Lost };

inline bool isFinal(RunState state)
{
    return state >= RunState::Succeeded;
}

enum class Stream { Stdout, Stderr };

/// How a process ended. Exactly one of the two is set; `signal` 0 means that it exited with `code`.
struct ExitStatus
{
    int code = 0;
    int signal = 0;
    bool coreDumped = false;

    bool succeeded() const { return code == 0 && signal == 0; }
    /// torchelastic's number: the code, or minus the signal.
    int exitCode() const { return signal != 0 ? -signal : code; }
    bool operator==(const ExitStatus&) const = default;
};
RM_FIELDS(ExitStatus, code, signal, coreDumped);

/// Each agent numbers its own events from 1, without a gap.
struct EventId
{
    std::string run{};
    std::string agent{};
    std::uint64_t sequence = 0;

    auto operator<=>(const EventId&) const = default;
};

/// First event of a run: what was asked, and where things are.
struct RunStarted
{
    std::string jobFile{}; ///< The JobSpec as `.ringjob` text.
    std::string name{};
    std::string torchrunLine{};
    std::string runFolder{};
    std::string workingFolder{};
    std::string ringmasterVersion{};
    int agentPid = 0;
    bool detached = false; ///< No terminal: started by the dashboard.
    int maxRestarts = 0;   ///< The restart budget at the start.
    bool operator==(const RunStarted&) const = default;
};
RM_FIELDS(RunStarted, jobFile, name, torchrunLine, runFolder, workingFolder, ringmasterVersion,
          agentPid, detached, maxRestarts);

struct RunStateChanged
{
    RunState state = RunState::Starting;
    Message reason{}; ///< code::None where there is nothing to say.
    int exitCode = 0; ///< Of `ringmaster run`; final states only.
    bool operator==(const RunStateChanged&) const = default;
};
RM_FIELDS(RunStateChanged, state, reason, exitCode);

struct RendezvousStep
{
    enum class Step { Joining, Waiting, Completed, Closed, Failed };
    Step step = Step::Joining;
    std::uint64_t round = 0;
    int groupRank = 0;
    int groupWorldSize = 0;
    std::string masterAddress{};
    int masterPort = 0;
    Message detail{};
    bool operator==(const RendezvousStep&) const = default;
};
RM_FIELDS(RendezvousStep, step, round, groupRank, groupWorldSize, masterAddress, masterPort,
          detail);

/// One worker of an attempt, before it runs.
struct WorkerAssignment
{
    int localRank = 0;
    int globalRank = 0;
    int roleRank = 0;
    int roleWorldSize = 0;
    std::string role{};
    std::string logFolder{}; ///< Where its stdout.log, stderr.log and error.json are.
    bool operator==(const WorkerAssignment&) const = default;
};
RM_FIELDS(WorkerAssignment, localRank, globalRank, roleRank, roleWorldSize, role, logFolder);

struct AttemptStarted
{
    int attempt = 0;      ///< From 0; counts starts of the worker group on this agent.
    int restartCount = 0; ///< TORCHELASTIC_RESTART_COUNT
    std::uint64_t round = 0;
    int worldSize = 0;
    std::string logFolder{}; ///< attempt_N
    std::vector<WorkerAssignment> workers{};
    bool operator==(const AttemptStarted&) const = default;
};
RM_FIELDS(AttemptStarted, attempt, restartCount, round, worldSize, logFolder, workers);

struct WorkerStateChanged
{
    int attempt = 0;
    int globalRank = 0;
    int localRank = 0;
    int pid = 0;
    WorkerState state = WorkerState::Unknown;
    bool operator==(const WorkerStateChanged&) const = default;
};
RM_FIELDS(WorkerStateChanged, attempt, globalRank, localRank, pid, state);

/// A worker that runs imports torch, which takes seconds, or no longer does. One that was forked
/// from a process that has imported it never tells.
struct WorkerImporting
{
    int attempt = 0;
    int globalRank = 0;
    bool isImporting = false;
    bool operator==(const WorkerImporting&) const = default;
};
RM_FIELDS(WorkerImporting, attempt, globalRank, isImporting);

struct WorkerExited
{
    int attempt = 0;
    int globalRank = 0;
    int localRank = 0;
    int pid = 0;
    ExitStatus status{};
    bool endedByAgent = false; ///< The agent had sent it a signal before: never a failure's cause.
    Message explanation{};     ///< exit code, signal, out of memory …
    std::string errorType{};   ///< "ValueError", from error.json or the end of stderr
    std::string errorText{};   ///< its message; may be empty
    std::string traceback{};   ///< bounded
    std::string errorFile{};   ///< path, or empty
    /// What it printed last matches the job's rules of the same names; false without such a rule.
    bool matchesOnlyIf = false;
    bool matchesUnless = false;
    bool operator==(const WorkerExited&) const = default;
};
RM_FIELDS(WorkerExited, attempt, globalRank, localRank, pid, status, endedByAgent, explanation,
          errorType, errorText, traceback, errorFile, matchesOnlyIf, matchesUnless);

struct GroupRestarting
{
    int attempt = 0; ///< The one that ended.
    Message cause{};
    int budgetBefore = 0;
    int budgetAfter =
        0; ///< Equal to budgetBefore when a membership change or a user's request isn't charged.
    std::int64_t delayNs = 0;
    bool operator==(const GroupRestarting&) const = default;
};
RM_FIELDS(GroupRestarting, attempt, cause, budgetBefore, budgetAfter, delayNs);

/// Which rank is guilty, or that it isn't sure.
struct FirstCause
{
    int attempt = 0;
    bool sure = false;
    int globalRank = -1; ///< -1: not sure, see candidates.
    std::vector<int> candidates{};
    std::vector<int> consequences{}; ///< Ranks that failed because the cause did.
    Message cause{};
    Message remedy{};
    std::string traceback{};
    bool operator==(const FirstCause&) const = default;
};
RM_FIELDS(FirstCause, attempt, sure, globalRank, candidates, consequences, cause, remedy,
          traceback);

/// CPU and memory of one worker, summed over its descendants, since the last sample. A sample may
/// be dropped.
struct ProcessSample
{
    int attempt = 0;
    int globalRank = 0;
    double cpuFraction = 0; ///< 1.0 is one core.
    std::int64_t residentBytes = 0;
    bool operator==(const ProcessSample&) const = default;
};
RM_FIELDS(ProcessSample, attempt, globalRank, cpuFraction, residentBytes);

/// Something a reader should know that changes no state: a lost log, a signal sent, a worker that
/// ignores SIGTERM.
struct Notice
{
    enum class Severity { Info, Warning, Error };
    Severity severity = Severity::Info;
    int globalRank = -1; ///< -1: the whole run.
    Message message{};
    bool operator==(const Notice&) const = default;
};
RM_FIELDS(Notice, severity, globalRank, message);

using EventBody =
    std::variant<RunStarted, RunStateChanged, RendezvousStep, AttemptStarted, WorkerStateChanged,
                 WorkerExited, GroupRestarting, FirstCause, ProcessSample, Notice, SweepPlan,
                 SweepRow, LessonStarted, LessonStep, Verdict, LastOperation, HostChanged,
                 ClockMeasured, RendezvousReport, DeviceSample, Evidence, WorkerImporting>;

/// Samples change no state, come once a second, and may be dropped.
inline bool isSample(const EventBody& body)
{
    return std::holds_alternative<ProcessSample>(body) ||
           std::holds_alternative<DeviceSample>(body);
}

/// Whose sample it is; -1: the node's.
inline int sampledRank(const EventBody& sample)
{
    const auto* process = std::get_if<ProcessSample>(&sample);
    return process != nullptr ? process->globalRank : -1;
}

/// A fact, appended and never changed. Times are those of the agent's own clock.
struct Event
{
    EventId id{};
    std::uint64_t runSequence =
        0; ///< Given by the lead on arrival, from 1: subscribers resume from it.
    Moment at{};
    std::string node{};
    std::string clock{}; ///< clockId() of the node
    EventBody body{};

    bool operator==(const Event&) const = default;
};

} // namespace ringmaster
