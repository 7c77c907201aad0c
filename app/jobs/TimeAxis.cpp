#include "app/jobs/TimeAxis.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr std::int64_t Second = 1'000'000'000;

std::int64_t niceStep(std::int64_t ns)
{
    const double step = clockStep(static_cast<double>(ns) / Second);
    return std::max<std::int64_t>(1, std::llround(step * Second));
}

} // namespace

std::vector<TimeTick> timeTicks(std::int64_t from, std::int64_t to, std::int64_t origin, int most)
{
    const std::int64_t step = niceStep((to - from) / std::max(2, most) + 1);
    std::vector<TimeTick> ticks;
    for (std::int64_t at = (from - origin) / step * step; at <= to - origin; at += step) {
        if (origin + at >= from)
            ticks.push_back({origin + at, step < Second ? durationText(at) : clockText(at)});
    }
    return ticks;
}

PlotAxis timePlotAxis(const TimeSpan& span)
{
    const TimeSpan::Range range = span.shown();
    const std::int64_t begin = span.begin();
    PlotAxis axis{.from = static_cast<double>(range.from), .to = static_cast<double>(range.to)};
    axis.ticks = [range, begin](int most) {
        std::vector<PlotTick> ticks;
        for (const TimeTick& tick : timeTicks(range.from, range.to, begin, most))
            ticks.push_back({static_cast<double>(tick.at), tick.label});
        return ticks;
    };
    axis.text = [begin](double at) { return clockText(static_cast<std::int64_t>(at) - begin); };
    return axis;
}

} // namespace ringmaster::app
