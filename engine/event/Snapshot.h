#pragma once

#include "engine/event/Event.h"

#include <optional>

namespace ringmaster {

struct WorkerSnapshot
{
    WorkerAssignment assignment{};
    std::string node{};
    int attempt = 0;
    int pid = 0;
    WorkerState state = WorkerState::Init;
    Moment since{};                         ///< of `state`
    std::optional<WorkerExited> lastExit{}; ///< of this attempt
    bool operator==(const WorkerSnapshot&) const = default;
};

/// Where a run stands: what its events, read in order, amount to. A live run and an opened file
/// give the same.
struct RunSnapshot
{
    std::string run{};
    RunStarted started{};
    RunState state = RunState::Starting;
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

    void apply(const Event& event);
    bool operator==(const RunSnapshot&) const = default;
};

} // namespace ringmaster
