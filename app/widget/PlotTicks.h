#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace ringmaster::app {

struct PlotTick
{
    double at = 0;
    QString label{};

    bool operator==(const PlotTick&) const = default;
};

using PlotLabel = std::function<QString(double)>;
/// The ticks where there is room for so many labels.
using PlotTickMaker = std::function<std::vector<PlotTick>(int most)>;

/// From 0 to at least `top`: about `wanted` steps of 1, 2 or 5 times a power of ten.
std::vector<PlotTick> linearTicks(double top, int wanted, const PlotLabel& label);
/// Round values from `from` to `to`, about `wanted` of them; nothing for a span that is none.
std::vector<PlotTick> rangeTicks(double from, double to, int wanted, const PlotLabel& label);
/// Of time, from 0 to `to` seconds, as clocks have it: 0:30, 1:00, 5:00.
std::vector<PlotTick> clockTicks(double to, int wanted, const PlotLabel& label);
/// The smallest step of a clock that isn't below `seconds`; below a second of 1, 2 or 5 times a
/// power of ten.
double clockStep(double seconds);
/// Every n-th power of `base` from the one below `from` to the one above `to`: no more than `most`.
std::vector<PlotTick> powerTicks(double from, double to, int base, int most,
                                 const PlotLabel& label);
/// Every n-th of them, so that there are no more than `most`.
std::vector<PlotTick> thinnedTicks(const std::vector<PlotTick>& ticks, int most);

/// "0.00001", "0.25", "1,500": what fits beside an axis, never with an exponent.
QString axisNumber(double value);

} // namespace ringmaster::app
