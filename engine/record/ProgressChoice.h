#pragma once

#include "engine/record/NumberProgress.h"
#include "engine/record/NumberSummary.h"

#include <string_view>

namespace ringmaster {

/// Which of a rank's counters tells how far the job is, and when it will be done. Says no time that
/// isn't measured: where epochs begin at an unknown number, or a bar is drawn anew for each of an
/// unknown number of epochs, there is none. Refers to what it is given. Pure.
class ProgressChoice
{
public:
    void add(std::string_view name, const NumberProgress& counter);
    bool hasTotal() const;
    /// The end is on the clock of the counters.
    std::optional<NumberSummary::Progress> progress(std::optional<std::int64_t> nowNs) const;

private:
    struct Counter
    {
        std::string_view name{};
        const NumberProgress* progress = nullptr;
        bool isThere() const { return progress != nullptr; }
        bool hasTotal() const { return isThere() && progress->total().has_value(); }
    };

    NumberSummary::Progress ofEpochs(std::optional<std::int64_t> nowNs) const;
    NumberSummary::Progress ofSteps(std::optional<std::int64_t> nowNs) const;
    /// Epochs that begin after this one; nothing: nobody has said whether the first is 0 or 1.
    std::optional<double> epochsLeft() const;
    bool areStepsOfAll() const;

    Counter m_epoch;
    Counter m_steps; ///< Within an epoch, or of all.
};

} // namespace ringmaster
