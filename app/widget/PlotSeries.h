#pragma once

#include "app/widget/PlotTicks.h"
#include "app/widget/SeriesLook.h"

#include <QPointF>

namespace ringmaster::app {

struct PlotSeries
{
    QString name{};
    SeriesLook look{};
    std::vector<QPointF> points{}; ///< By x.
    double longestGap = 0;         ///< The line breaks where points are further apart; 0: never.
    std::vector<double> breaks{};  ///< Ascending: the line breaks here, too.
    bool isLimit = false; ///< What can be reached at best: long dashes, its value beside it.

    bool operator==(const PlotSeries&) const = default;
};

/// One of the two axes of a plot. What is drawn goes by fractions of it, so that a logarithmic one
/// and one of nanoseconds since the machine's start are drawn alike.
struct PlotAxis
{
    enum class Scale { Linear, Logarithmic };

    Scale scale = Scale::Linear;
    double from = 0;
    double to = 1;
    QString title{};
    PlotTickMaker ticks{}; ///< Ascending.
    PlotLabel text{};      ///< Of one value, in full.

    /// NaN: it has no place, as 0 on a logarithmic axis.
    double fractionOf(double value) const;
    double valueAt(double fraction) const;
};

} // namespace ringmaster::app
