#pragma once

#include "engine/event/Fields.h"
#include "engine/event/LeadCommands.h"

#include <chrono>
#include <string>
#include <variant>
#include <vector>

namespace ringmaster {

/// SIGTERM, grace, SIGKILL; the run ends as Stopped. `now` skips the grace.
struct StopRun
{
    bool now = false;
    bool operator==(const StopRun&) const = default;
};
RM_FIELDS(StopRun, now);

/// Stops and starts the worker group; not charged to the budget.
struct RestartGroup
{
    bool operator==(const RestartGroup&) const = default;
};
constexpr auto fieldsOf(const RestartGroup*)
{
    return std::tuple{};
}

struct SignalWorker
{
    int globalRank = 0;
    int signal = 0;
    bool operator==(const SignalWorker&) const = default;
};
RM_FIELDS(SignalWorker, globalRank, signal);

/// Moves the program of a lesson's run at its step gate. `ranks` in their order, each waiting until
/// the one before it is held again, blocked or at its end; empty: all together.
struct MoveLesson
{
    enum class Move {
        Hold,      ///< Stop at the next line.
        Step,      ///< One line of each of `ranks`.
        Play,      ///< A step of all, again and again, `stepsASecond`.
        ToBlocked, ///< Step by step until a rank can't go on.
        ToLine,    ///< Step by step until a rank is at `line`.
        ToEnd,     ///< Without waiting at the gate.
    };
    Move move = Move::Step;
    std::vector<int> ranks{};
    double stepsASecond = 2;
    int line = 0;
    bool operator==(const MoveLesson&) const = default;
};
RM_FIELDS(MoveLesson, move, ranks, stepsASecond, line);

/// Makes something go wrong on purpose, at once (Kill, Pause, Resume) or in the rank's next call of
/// torch.distributed. Refused but by a lesson's run.
struct InjectFault
{
    enum class Kind { Kill, Pause, Resume, Delay, WrongShape, WrongType, CorruptData };
    Kind kind = Kind::Kill;
    int globalRank = 0;
    std::chrono::nanoseconds delay{0}; ///< Delay only.
    bool operator==(const InjectFault&) const = default;
};
RM_FIELDS(InjectFault, kind, globalRank, delay);

/// A fire drill: does something to one rank or host now, and the agent says how the job comes back
/// (the Drill… codes of event/Codes.def). One at a time; refused by a lesson's run.
struct BeginDrill
{
    enum class Kind {
        Kill,     ///< SIGKILL
        Stop,     ///< SIGSTOP, after `duration` SIGCONT.
        Slow,     ///< For `duration` stopped three quarters of the time.
        KillHost, ///< SIGKILL to the host's agent and all workers there, as if its power failed.
        CutHost,  ///< For `duration` the lead doesn't reach the host's agent.
    };
    Kind kind = Kind::Kill;
    int globalRank = -1; ///< -1: the last one.
    std::chrono::nanoseconds duration{0};
    std::chrono::nanoseconds limit{0}; ///< Longer, and it isn't back.
    std::string by{};                  ///< Who asks, for people.
    std::string host{};                ///< Of KillHost and CutHost, which are for no rank.

    bool isOfHost() const { return kind == Kind::KillHost || kind == Kind::CutHost; }
    bool isKill() const { return kind == Kind::Kill || kind == Kind::KillHost; }
    bool operator==(const BeginDrill&) const = default;
};
RM_FIELDS(BeginDrill, kind, globalRank, duration, limit, by, host);

using Command = std::variant<StopRun, RestartGroup, SignalWorker, MoveLesson, InjectFault,
                             BeginRound, LeaveRound, CloseRendezvous, BeginDrill>;

} // namespace ringmaster
