#pragma once

#include "engine/event/Verdict.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ringmaster {

/// How much a person is told of waits that come and go by themselves, again and again: an
/// evaluation on one rank, a checkpoint, a report. Pure; times are nanoseconds of the run's
/// monotonic clock.
class RecurringWaits
{
public:
    enum class Telling { Whole, Short, Nothing };

    /// Of a verdict that stands, as it is stated at `nowNs`. What isn't a mere wait is told whole;
    /// of waits in the same operation for the same ranks the first two are, the third is told in
    /// short, and then only one that lasts twice as long as the longest before.
    Telling stated(const Verdict& verdict, std::int64_t nowNs);

    /// It stands no longer. Whether a person knows of it.
    bool ended(const Verdict& verdict, std::int64_t nowNs);

    /// What to say after one that is told in short.
    std::string expectation(const Verdict& verdict) const;

    /// Of another attempt nothing is known.
    void begin();

private:
    struct Known
    {
        int times = 0;
        std::int64_t longestNs = 0;
    };

    struct Standing
    {
        std::string shape;
        std::int64_t sinceNs = 0;
        Telling telling = Telling::Whole;
    };

    static std::optional<std::string> shapeOf(const Verdict& verdict);
    static std::int64_t limitNs(const Known& known);

    std::map<std::string, Known> m_known;         ///< By shape: those that went on.
    std::map<std::uint64_t, Standing> m_standing; ///< By the verdict's id.
};

} // namespace ringmaster
