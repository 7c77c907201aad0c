#pragma once

#include "engine/event/Event.h"
#include "engine/event/Fields.h"

#include <optional>

namespace ringmaster {

RM_FIELDS(Moment, monotonicNs, wallNs);

struct WorkerSnapshot
{
    WorkerAssignment assignment{};
    std::string node{};
    int attempt = 0;
    int pid = 0;
    WorkerState state = WorkerState::Init;
    Moment since{};                         ///< of `state`
    std::optional<WorkerExited> lastExit{}; ///< of this attempt
    Message lastOperation{};                ///< what it was in at its end; code::None: not known
    std::string agent{};                    ///< that supervises it
    bool isImporting = false;               ///< torch, while it is healthy
    bool operator==(const WorkerSnapshot&) const = default;
};
RM_FIELDS(WorkerSnapshot, assignment, node, attempt, pid, state, since, lastExit, lastOperation,
          agent, isImporting);

/// One of a job's hosts.
struct HostSnapshot
{
    std::string agent{}; ///< The id in its events.
    std::string host{};  ///< Its name in the host book.
    std::string node{};  ///< As the machine calls itself; empty: not heard of yet.
    HostChanged::State state = HostChanged::State::Connecting;
    Message reason{};
    Moment since{}; ///< of `state`; of the lead's clock
    std::optional<ClockMeasured> clock{};
    bool operator==(const HostSnapshot&) const = default;
};
RM_FIELDS(HostSnapshot, agent, host, node, state, reason, since, clock);

/// A verdict that holds, as it was stated last.
struct StandingVerdict
{
    Verdict verdict{};
    Moment at{};
    bool operator==(const StandingVerdict&) const = default;

    /// The monotonic clock of `at` when the wall's clock shows that.
    std::int64_t monotonicAt(std::int64_t wallNs) const
    {
        return at.monotonicNs + (wallNs - at.wallNs);
    }
};
RM_FIELDS(StandingVerdict, verdict, at);

/// Where a run stands: what its events, read in order, amount to. A live run and an opened file
/// give the same.
struct RunSnapshot
{
    std::string run{};
    RunStarted started{};
    RunState state = RunState::Starting;
    Moment stateSince{};
    Message reason{};
    int exitCode = 0;
    Moment startedAt{};
    Moment endedAt{}; ///< zero while it runs
    int attempt = -1; ///< -1: none started yet
    int restartsUsed = 0;
    int restartBudget = 0; ///< Of the whole job: the restarts used and those left.
    int worldSize = 0;
    std::vector<WorkerSnapshot> workers{};  ///< of the latest attempt, by global rank
    std::optional<FirstCause> firstCause{}; ///< the latest one
    std::uint64_t lastSequence = 0;
    /// What the diagnosis says of the latest attempt: the weightiest first, and then the oldest.
    std::vector<StandingVerdict> verdicts{};
    /// Of a job that has several, in the order in which they were named.
    std::vector<HostSnapshot> hosts{};
    /// Since when the workers of the latest attempt have been asked to end; zero: they haven't. Of
    /// several agents' the last to ask.
    Moment graceSince{};

    static constexpr size_t MostVerdicts = 200;

    void apply(const Event& event);
    bool operator==(const RunSnapshot&) const = default;
};
RM_FIELDS(RunSnapshot, run, started, state, stateSince, reason, exitCode, startedAt, endedAt,
          attempt, restartsUsed, restartBudget, worldSize, workers, firstCause, lastSequence,
          verdicts, hosts, graceSince);

/// One a host: an agent that was replaced is told of by the one in its place.
std::vector<HostSnapshot> latestOfEachHost(const RunSnapshot& run);

} // namespace ringmaster
