#pragma once

#include "engine/lesson/LaneAxis.h"
#include "engine/lesson/State.h"

#include <cstdint>
#include <vector>

namespace ringmaster::lesson {

/// What each rank did when: a lane a rank on one axis of time. The time in which ranks were held
/// and nobody did anything is cut short, because it is the reader's.
class Lanes
{
public:
    struct Span
    {
        enum class Kind {
            Computing,       ///< Between two lines, or after a call.
            Held,            ///< By the step gate, before a line.
            ComputingOrHeld, ///< Older recordings don't tell the one from the other.
            Calling,         ///< In an operation that can go on.
            Waiting,         ///< In an operation that can't go on before others do something.
            Stopped,         ///< By a fault's signal, wherever it was.
        };
        Kind kind = Kind::Computing;
        bool isOverlapped = false; ///< It is in no operation; requests of its own are under way.
        std::int64_t fromNs = 0;   ///< On the axis.
        std::int64_t toNs = -1;    ///< Negative: it goes on.
        std::int64_t lastedNs = 0; ///< Measured: more than on the axis where that is cut short.
        bool operator==(const Span&) const = default;
    };

    /// `state`: after the step, the latest one.
    void add(const LessonStep& step, const State& state);

    /// Of all attempts, one after the other.
    const std::vector<std::vector<Span>>& byRank() const;
    /// Where each attempt after the first begins, on the axis.
    const std::vector<std::int64_t>& restarts() const { return m_restarts; }
    /// Of a step, on the axis.
    std::int64_t timeOf(size_t step) const;
    std::int64_t length() const;
    /// The last step at or before a time on the axis.
    size_t stepAt(std::int64_t ns) const;
    /// How long the step's rank was held since its step before; 0: it wasn't.
    std::int64_t heldBefore(size_t step) const { return m_heldBefore[step]; }

private:
    void begin(const State& state);
    void note(const LessonStep& step);
    void letGo(int rank, bool hasDoneAStep);
    Span::Kind kindOf(int rank, const State& state) const;
    void take(int rank, const State& state);
    void draw() const;

    /// A rank between its calls.
    struct Standing
    {
        Span::Kind kind = Span::Kind::Computing;
        std::int64_t letGoNs = 0; ///< By the gate; 0: it isn't.
        std::int64_t heldNs = 0;  ///< Since its step before.
    };

    int m_attempt = -1;
    std::int64_t m_now = 0;                    ///< Measured; 0: no step of this attempt yet.
    std::vector<std::vector<Span>> m_measured; ///< Not on the axis.
    std::vector<Standing> m_standings;
    std::vector<std::int64_t> m_stepTimes; ///< Measured; of this attempt.
    std::vector<std::int64_t> m_heldBefore;
    size_t m_firstStep = 0;                ///< Of this attempt.
    std::vector<std::vector<Span>> m_past; ///< Of those before, on the axis.
    std::vector<std::int64_t> m_restarts;

    // On the axis: made when they are asked for.
    mutable bool m_isDrawn = true;
    mutable std::vector<std::vector<Span>> m_lanes;
    mutable std::vector<std::int64_t> m_times;
    mutable std::int64_t m_length = 0;
    std::int64_t m_base = 0; ///< Where this attempt begins.
};

} // namespace ringmaster::lesson
