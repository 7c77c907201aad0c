#pragma once

#include "engine/event/Command.h"
#include "engine/event/Snapshot.h"
#include "engine/node/DrillNumbers.h"

#include <optional>

namespace ringmaster {

/// Whether a job has come back from a fire drill, after what time, and what that has cost. Back
/// means that all ranks run, of the next round where the drill has led to one; and, by what the run
/// has shown before: that it prints its steps again, else that all have been through the round's
/// first collective. What isn't measured is said to be unknown. Pure: the caller brings the time
/// and what has happened.
class DrillWatch
{
public:
    struct Outcome
    {
        Message message{};
        bool isBack = false;
    };

    /// `drill` has its rank or host, and `run` is how it was before; `hasCollectives`: those of its
    /// attempt were recorded.
    DrillWatch(BeginDrill drill, const RunSnapshot& run, bool hasCollectives, std::int64_t nowNs);

    /// What is printed before the drill may come at any time.
    void printed(const PrintedNumbers& numbers);
    /// All ranks of the attempt have been through a first collective.
    void firstCollective(int attempt) { m_collective = attempt; }

    std::optional<Outcome> look(const RunSnapshot& run, std::int64_t nowNs);
    /// The run ends like that; `run` is how it was before.
    Outcome runEnded(RunState state, const RunSnapshot& run, std::int64_t nowNs);

    int rank() const { return m_drill.globalRank; }
    /// Of a host's drill: what it has cost so far, and how much of the job runs.
    std::optional<Message> cost(const RunSnapshot& run) const;

private:
    bool isKill() const { return m_drill.isKill(); }
    bool isUnderWay(const RunSnapshot& run, std::int64_t nowNs);
    bool isHeldUp(const RunSnapshot& run, std::int64_t nowNs);
    bool isCut(const RunSnapshot& run, std::int64_t nowNs);
    bool isAway(const RunSnapshot& run) const;
    bool doAllRun(const RunSnapshot& run) const;
    bool isAgain(const RunSnapshot& run) const { return run.attempt > m_attempt; }
    std::int64_t fromNs() const;
    std::optional<Outcome> back(const RunSnapshot& run, std::int64_t nowNs);
    Message late(const RunSnapshot& run) const;
    Message atStep(const DrillNumbers::Progress& progress, std::int64_t atNs) const;
    Message after(Code code, std::int64_t nowNs) const;
    Message within(Code code) const;

    BeginDrill m_drill;
    int m_attempt;
    int m_restartsBefore;
    bool m_hasCollectives;
    std::int64_t m_beganNs;
    DrillNumbers m_numbers;
    int m_printing = -1;                    ///< The attempt whose numbers count; of a host's drill.
    int m_collective = -1;                  ///< The latest attempt that had its first one.
    bool m_isReleased = false;              ///< What was held up, or cut off, goes on.
    bool m_isReplaced = false;              ///< Another round came before that.
    std::optional<std::int64_t> m_stepNs{}; ///< When the first step after it was seen.
};

} // namespace ringmaster
