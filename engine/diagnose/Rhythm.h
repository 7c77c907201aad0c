#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ringmaster::diagnose {

/// A call of one rank, as far as a rhythm needs it.
struct RhythmCall
{
    std::uint64_t id = 0;
    std::uint64_t signature = 0; ///< Equal calls have the same.
    std::uint64_t bytes = 0;
    std::int64_t enqueuedNs = 0;
    std::int64_t endedNs = 0; ///< 0: it runs, or nobody knows.
    bool isPointToPoint = false;
};

/// How a program's calls repeat: the same calls in the same order, step after step, with at most a
/// few others between two steps, or a phase of others (an evaluation) after many. Pure.
class Rhythm
{
public:
    static constexpr size_t LeastSteps = 4; ///< Fewer are no rhythm.

    /// Empty where there is none.
    static Rhythm of(std::span<const RhythmCall> calls);

    size_t length() const { return m_length; } ///< Calls of one step.
    /// Where each whole step begins, in order.
    const std::vector<size_t>& begins() const { return m_begins; }
    /// The beginnings, by their place in begins(), between which the rate is the program's: with
    /// whatever comes between two steps as often as it does in the long run.
    std::pair<size_t, size_t> wholePhases() const;
    explicit operator bool() const { return m_begins.size() >= LeastSteps; }

private:
    void repeatWithin(std::span<const RhythmCall> calls, size_t length);
    bool isMostOf(std::span<const RhythmCall> calls) const;
    bool areMicroBatches(std::span<const RhythmCall> calls) const;
    bool isInPhases(std::span<const RhythmCall> calls) const;
    bool followsAnother(size_t step) const;
    void joinBackToBack(std::span<const RhythmCall> calls);

    size_t m_length = 0;
    std::vector<size_t> m_begins;
};

} // namespace ringmaster::diagnose
