#pragma once

#include "engine/event/Snapshot.h"

#include <map>
#include <optional>
#include <string_view>

namespace ringmaster {

/// What a job or a rank is in, for people: one word from state and verdicts, the same everywhere.
enum class Health {
    Starting, ///< A rank that imports torch does, too, whether before its process runs or in it.
    Running,
    Waiting, ///< For a rank that may still come.
    Slow,
    Hanging,
    Stopped, ///< By a signal or a debugger: SIGCONT lets it go on.
    Restarting,
    Stopping,
    Failed,
    Finished,
    Ended, ///< A rank that Ringmaster has ended because another one failed.
    StoppedByUser,
    Recorded, ///< Known from files that something else wrote; how it ended isn't in them.
    Lost,
};

/// Lower case, as `ps` and `--json` carry it: "hanging", "stopped by you".
std::string_view nameOf(Health health);
std::optional<Health> healthFromName(std::string_view name);

/// Nothing runs any more.
bool isOver(Health health);

/// A job's health, since when, and what is said of it.
struct JobHealth
{
    Health health = Health::Starting;
    Moment since{};
    Message statement{}; ///< Of the verdict that makes it so; code::None: none does.
    bool operator==(const JobHealth&) const = default;
};

/// As far as the state alone tells it.
Health healthOf(RunState state);
JobHealth healthOf(const RunSnapshot& run);

/// Known from files that something else wrote, whether or not they tell how it ended.
bool isReadFromFiles(const RunSnapshot& run);

/// The health of each rank of a run, as its verdicts were when this was made.
class RankHealth
{
public:
    RankHealth() = default;
    explicit RankHealth(const RunSnapshot& run);

    Health of(int globalRank, WorkerState state) const;
    Health of(const WorkerSnapshot& worker) const
    {
        return of(worker.assignment.globalRank, worker.state);
    }

private:
    RunState m_state = RunState::Starting;
    bool m_isRecorded = false;
    std::map<int, Health>
        m_said; ///< By global rank; of those of whom more than the state is known.
};

} // namespace ringmaster
