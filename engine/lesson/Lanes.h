#pragma once

#include "engine/lesson/State.h"

#include <cstdint>
#include <vector>

namespace ringmaster::lesson {

/// What each rank did when: a lane a rank on one axis of time. The time in which all stood at the
/// gate and nobody did anything is cut short, because it is the reader's.
class Lanes
{
public:
    struct Span
    {
        enum class Kind {
            Computing, ///< Between two lines, or held before one.
            Calling,   ///< In an operation that can go on.
            Waiting,   ///< In an operation that can't go on before others have done something.
        };
        Kind kind = Kind::Computing;
        bool isOverlapped = false; ///< While it computes, requests of its own are under way.
        std::int64_t fromNs = 0;   ///< On the axis.
        std::int64_t toNs = -1;    ///< Negative: it goes on.
        bool operator==(const Span&) const = default;
    };

    /// `state`: after the step, the latest one.
    void add(const LessonStep& step, const State& state);

    const std::vector<std::vector<Span>>& byRank() const { return m_lanes; }
    /// Of a step, on the axis.
    std::int64_t timeOf(size_t step) const { return m_times[step]; }
    std::int64_t length() const { return m_now; }
    /// The last step at or before a time on the axis.
    size_t stepAt(std::int64_t ns) const;

private:
    void advance(const LessonStep& step);
    void take(int rank, const State& state);

    int m_attempt = -1;
    std::int64_t m_last = 0; ///< The latest step's own time; 0: none yet.
    bool m_wasFree = true;   ///< The latest step.
    std::int64_t m_now = 0;
    std::vector<std::vector<Span>> m_lanes;
    std::vector<std::int64_t> m_times;
};

} // namespace ringmaster::lesson
