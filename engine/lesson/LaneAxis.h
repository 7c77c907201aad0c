#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ringmaster::lesson {

/// Puts measured times on an axis on which time that is the reader's alone is cut short.
class LaneAxis
{
public:
    /// What somebody does in this time.
    struct Stretch
    {
        enum class Kind {
            Busy,    ///< Time passes.
            Waiting, ///< Time passes, unless somebody is known to be held.
            Held,    ///< Cut short where nobody is busy.
            Unknown, ///< Cut short where nobody is busy or waits.
        };
        Kind kind = Kind::Busy;
        std::int64_t fromNs = 0;
        std::int64_t toNs = 0;
    };

    /// Longer than a line of Python takes, shorter than a reader.
    static constexpr std::int64_t LongestCutNs = 20'000'000;

    LaneAxis() = default;
    /// The first of these times is `base` on the axis. `times`: of steps, where a cut ends; 0:
    /// none.
    LaneAxis(std::int64_t base, const std::vector<Stretch>& stretches,
             const std::vector<std::int64_t>& times);

    /// Of an end of a stretch, or of a step.
    std::int64_t at(std::int64_t ns) const;

private:
    /// A measured time, and where it is on the axis.
    std::vector<std::pair<std::int64_t, std::int64_t>> m_points;
    std::int64_t m_base = 0;
};

} // namespace ringmaster::lesson
