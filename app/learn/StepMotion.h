#pragma once

#include <chrono>
#include <cstddef>

namespace ringmaster::app {

/// Which step is shown when, where many have come at once: one after the other, faster where there
/// are many. Pure: the caller brings the time.
class StepMotion
{
public:
    using Clock = std::chrono::steady_clock;

    /// The whole takes no longer than this, however many they are.
    static constexpr std::chrono::milliseconds Longest{3000};

    struct Place
    {
        size_t step = 0;
        double progress = 1; ///< How much of it has happened.
    };

    /// `perStep` of zero: nothing is shown on its way.
    StepMotion(std::chrono::milliseconds perStep, size_t shown, size_t last, Clock::time_point now);

    /// More has come; what is shown goes on from where it is.
    void extend(size_t last, Clock::time_point now);
    Place at(Clock::time_point now) const;
    bool isOver(Clock::time_point now) const { return at(now).progress >= 1; }

private:
    using Seconds = std::chrono::duration<double>;
    void pace();

    Seconds m_perStep;
    size_t m_shown; ///< Whole already.
    size_t m_last;
    Clock::time_point m_start;
    Seconds m_each{0};
};

} // namespace ringmaster::app
