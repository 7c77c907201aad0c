#pragma once

#include "app/model/TimeSpan.h"
#include "app/widget/PlotSeries.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace ringmaster::app {

struct TimeTick
{
    std::int64_t at = 0; ///< Monotonic ns.
    QString label{};     ///< Since `origin`.
};

/// At most `most` and one, at round times since `origin`.
std::vector<TimeTick> timeTicks(std::int64_t from, std::int64_t to, std::int64_t origin, int most);

/// That of a chart which shows what the span does.
PlotAxis timePlotAxis(const TimeSpan& span);

} // namespace ringmaster::app
