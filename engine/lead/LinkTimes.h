#pragma once

#include <algorithm>
#include <chrono>

namespace ringmaster {

/// What follows from a job's node_timeout: for how long a host may be silent, and what is done
/// meanwhile.
struct LinkTimes
{
    explicit constexpr LinkTimes(std::chrono::milliseconds nodeTimeout)
        : leftOut(nodeTimeout)
        , shown(std::clamp<std::chrono::milliseconds>(nodeTimeout / 2, std::chrono::seconds(1),
                                                      std::chrono::seconds(3)))
        , renewed(std::clamp<std::chrono::milliseconds>(nodeTimeout / 4, shown,
                                                        std::chrono::seconds(15)))
        , heldTimeout(nodeTimeout + std::chrono::seconds(1))
    {
    }

    std::chrono::milliseconds leftOut; ///< The others do without it.
    std::chrono::milliseconds shown;   ///< It is said to be silent.
    /// Its connection is given up, and another one tried. Below it, one that is slow or overloaded
    /// may still answer: a login would only be more work for it.
    std::chrono::milliseconds renewed;
    /// The agent says that it hears nothing of its lead.
    std::chrono::milliseconds heldTimeout;

    /// Until a try to reach a silent host again is ended by ssh, and the next one begins. The
    /// kernel's tries are 1, 2, 4 and 8 s apart: a host that is back would wait for the later ones.
    constexpr int connectSeconds() const
    {
        constexpr std::chrono::milliseconds Shortest = std::chrono::seconds(2);
        constexpr std::chrono::milliseconds Longest = std::chrono::seconds(15);
        const auto time = std::clamp(leftOut / 10, Shortest, Longest);
        return static_cast<int>(std::chrono::ceil<std::chrono::seconds>(time).count());
    }

    /// Between two questions of ssh's own, `questions` of which end a connection.
    constexpr int aliveSeconds(int questions) const
    {
        const auto each = renewed / questions;
        return std::max(1, static_cast<int>(std::chrono::ceil<std::chrono::seconds>(each).count()));
    }
};

} // namespace ringmaster
