#include "app/widget/PlotTicks.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

/// The smallest of 1, 2 or 5 times a power of ten that isn't below `least`.
double roundStep(double least)
{
    const double power = std::pow(10, std::floor(std::log10(least)));
    double step = power * 10;
    for (const double factor : {5, 2, 1}) {
        if (power * factor >= least * (1 - 1e-9))
            step = power * factor;
    }
    return step;
}

} // namespace

std::vector<PlotTick> linearTicks(double top, int wanted, const PlotLabel& label)
{
    if (!(top > 0))
        return {};
    const double step = roundStep(top / std::max(1, wanted));
    std::vector<PlotTick> ticks;
    const auto last = static_cast<int>(std::ceil(top / step - 1e-9));
    for (int i = 0; i <= last; ++i)
        ticks.push_back({i * step, label(i * step)});
    return ticks;
}

std::vector<PlotTick> rangeTicks(double from, double to, int wanted, const PlotLabel& label)
{
    if (!(to > from) || !std::isfinite(to - from))
        return {};
    const double step = roundStep((to - from) / std::max(1, wanted));
    std::vector<PlotTick> ticks;
    const double first = std::ceil(from / step - 1e-9);
    // Counted, for numbers so large that one more is the same.
    const int count = static_cast<int>((to - from) / step) + 1;
    for (int i = 0; i <= count && (first + i) * step <= to + step * 1e-9; ++i) {
        const double at = (first + i) * step;
        ticks.push_back({at, label(std::abs(at) < step / 2 ? 0 : at)});
    }
    return ticks;
}

double clockStep(double seconds)
{
    constexpr double Day = 86'400;
    for (const double step : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0,
                              1800.0, 3600.0, 7200.0, 21'600.0, 43'200.0}) {
        if (seconds > 0.5 && seconds <= step)
            return step;
    }
    return seconds > 0.5 ? Day * roundStep(std::max(1.0, seconds / Day)) : roundStep(seconds);
}

std::vector<PlotTick> clockTicks(double to, int wanted, const PlotLabel& label)
{
    if (!(to > 0) || !std::isfinite(to))
        return {};
    const double step = clockStep(to / std::max(1, wanted));
    std::vector<PlotTick> ticks;
    for (int i = 0; i * step <= to + step * 1e-9; ++i)
        ticks.push_back({i * step, label(i * step)});
    return ticks;
}

std::vector<PlotTick> powerTicks(double from, double to, int base, int most, const PlotLabel& label)
{
    if (!(from > 0) || !(to >= from))
        return {};
    const double scale = std::log(base);
    const auto first = static_cast<int>(std::floor(std::log(from) / scale + 1e-9));
    const auto last = static_cast<int>(std::ceil(std::log(to) / scale - 1e-9));
    const int each = (last - first) / std::max(1, most) + 1;
    std::vector<PlotTick> ticks;
    for (int i = first; i <= last; i += each) {
        const double at = std::pow(base, i);
        ticks.push_back({at, label(at)});
    }
    return ticks;
}

std::vector<PlotTick> thinnedTicks(const std::vector<PlotTick>& ticks, int most)
{
    const size_t each = ticks.size() / static_cast<size_t>(std::max(1, most) + 1) + 1;
    std::vector<PlotTick> kept;
    for (size_t i = 0; i < ticks.size(); i += each)
        kept.push_back(ticks[i]);
    return kept;
}

QString axisNumber(double value)
{
    if (value == 0)
        return QLocale().toString(0);
    // Three digits that count.
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9)) + 1;
    QString text = QLocale().toString(value, 'f', std::max(0, 3 - before));
    const QString point = QLocale().decimalPoint();
    if (text.contains(point)) {
        while (text.endsWith(QLocale().zeroDigit()))
            text.chop(1);
        if (text.endsWith(point))
            text.chop(point.size());
    }
    return text;
}

} // namespace ringmaster::app
