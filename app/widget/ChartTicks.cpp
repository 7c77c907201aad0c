#include "app/widget/ChartTicks.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

std::vector<ChartTick> linearTicks(double top, int wanted, const ChartLabel& label)
{
    if (!(top > 0))
        return {};
    const double least = top / std::max(1, wanted);
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = power * 10;
    for (const double factor : {5, 2, 1}) {
        if (power * factor >= least * (1 - 1e-9))
            step = power * factor;
    }
    std::vector<ChartTick> ticks;
    const auto last = static_cast<int>(std::ceil(top / step - 1e-9));
    for (int i = 0; i <= last; ++i)
        ticks.push_back({i * step, label(i * step)});
    return ticks;
}

std::vector<ChartTick> powerTicks(double from, double to, int base, int labels,
                                  const ChartLabel& label)
{
    if (!(from > 0) || !(to >= from))
        return {};
    const double scale = std::log(base);
    const auto first = static_cast<int>(std::floor(std::log(from) / scale + 1e-9));
    const auto last = static_cast<int>(std::ceil(std::log(to) / scale - 1e-9));
    const int each = (last - first) / std::max(1, labels) + 1;
    std::vector<ChartTick> ticks;
    for (int i = first; i <= last; ++i) {
        const double at = std::pow(base, i);
        ticks.push_back({at, (i - first) % each == 0 ? label(at) : QString()});
    }
    return ticks;
}

} // namespace ringmaster::app
