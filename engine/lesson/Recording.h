#pragma once

#include "engine/lesson/Faults.h"
#include "engine/lesson/Lanes.h"
#include "engine/lesson/State.h"

#include <optional>
#include <vector>

namespace ringmaster::lesson {

/// A lesson's run, as its events tell it: live or from a run file, the same. Steps are numbered
/// from 0; `stateAt(k)` is how things were after step k. Pure; needs neither torch nor the program.
class Recording
{
public:
    /// `beginning`: how things are before its first event.
    explicit Recording(State beginning = State())
        : m_beginning(std::move(beginning)), m_latest(m_beginning), m_cursor{0, m_beginning}
    {
    }

    /// Every event of the run, in order; those that don't concern lessons are left out.
    void add(const Event& event);

    /// Nothing: the run is no lesson's.
    const std::optional<LessonStarted>& started() const { return m_started; }
    size_t size() const { return m_causeOfStep.size(); }
    bool isEmpty() const { return m_causeOfStep.empty(); }

    /// The step of the latest attempt or an earlier one, for a list of steps.
    const LessonStep& step(size_t index) const { return std::get<LessonStep>(eventOf(index).body); }
    const Event& event(size_t index) const { return eventOf(index); }
    Moment timeOf(size_t index) const { return eventOf(index).at; }

    /// Quick from one step to its neighbours; anywhere else from the nearest checkpoint.
    const State& stateAt(size_t index) const;
    /// After all that is known: also that workers have ended since the last step.
    const State& latest() const { return m_latest; }

    /// Faults that were made on purpose, and what came of each.
    const std::vector<FaultReport>& faults() const { return m_faults.reports(); }

    /// What each rank did when.
    const Lanes& lanes() const { return m_lanes; }

    /// What the run's diagnosis has said, as for any job: each as it was said last, with the steps
    /// that had been recorded when it was said first.
    struct Judgement
    {
        Verdict verdict{};
        size_t step = 0;
    };
    const std::vector<Judgement>& judgements() const { return m_judgements; }

    /// The ranks in the order in which they were let go from the line `start` on (0: from their
    /// first), in the latest attempt: what MoveLesson::ranks repeats.
    std::vector<int> order(int start = 0) const;

    /// First step after `from` at which `claim` is true of the state.
    template <class Claim>
    std::optional<size_t> firstStep(const Claim& claim, size_t from = 0) const
    {
        for (size_t index = from; index < size(); ++index)
            if (claim(stateAt(index)))
                return index;
        return std::nullopt;
    }

private:
    /// An event that changes the state, and how many steps there were before it.
    struct Cause
    {
        Event event{};
        size_t step = 0;
    };

    void take(const Event& event);
    void take(const Verdict& verdict);
    const Event& eventOf(size_t step) const { return m_causes[m_causeOfStep[step]].event; }

    std::optional<LessonStarted> m_started;
    std::vector<Cause> m_causes;
    std::vector<size_t> m_causeOfStep; ///< Index in m_causes.
    State m_beginning;
    State m_latest;
    FaultWatch m_faults;
    Lanes m_lanes;
    std::vector<Judgement> m_judgements;

    struct Checkpoint
    {
        size_t causes = 0; ///< Applied so far.
        State state{};
    };
    std::vector<Checkpoint> m_checkpoints;
    mutable Checkpoint m_cursor;
};

} // namespace ringmaster::lesson
