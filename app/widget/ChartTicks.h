#pragma once

#include <QString>

#include <functional>
#include <vector>

namespace ringmaster::app {

struct ChartTick
{
    double at = 0;
    QString label{};

    bool operator==(const ChartTick&) const = default;
};

using ChartLabel = std::function<QString(double)>;

/// From 0 to at least `top`: about `wanted` steps of 1, 2 or 5 times a power of ten.
std::vector<ChartTick> linearTicks(double top, int wanted, const ChartLabel& label);
/// Every power of `base` from the one below `from` to the one above `to`; every n-th has a label,
/// so that there are no more than `labels`.
std::vector<ChartTick> powerTicks(double from, double to, int base, int labels,
                                  const ChartLabel& label);

} // namespace ringmaster::app
