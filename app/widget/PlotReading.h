#pragma once

#include "app/widget/PlotSeries.h"

namespace ringmaster::app {

/// What one line says at a place of the horizontal axis.
struct PlotReading
{
    int series = 0;
    QPointF point{}; ///< The nearest that was measured.
    QPointF place{}; ///< Of it, in fractions of the axes.
};

/// The point nearest to `fraction` of a line whose points are sorted; null: none within `reach`.
const QPointF* nearestPoint(const PlotSeries& series, const PlotAxis& horizontal, double fraction,
                            double reach);

/// Of all lines that have one near it.
std::vector<PlotReading> readingsAt(const std::vector<PlotSeries>& series,
                                    const std::vector<bool>& isShown, const PlotAxis& horizontal,
                                    const PlotAxis& vertical, double fraction, double reach);

/// "0:42", then a line a reading.
QStringList readingLines(const std::vector<PlotReading>& readings,
                         const std::vector<PlotSeries>& series, const PlotAxis& horizontal,
                         const PlotAxis& vertical);

/// The cross-hair, a mark on each line and a box with the values.
void paintReadings(QPainter& painter, const QRectF& plot, double fraction,
                   const std::vector<PlotReading>& readings, const std::vector<PlotSeries>& series,
                   const QStringList& lines);

/// The value of a limit at its right end, where two of them are told apart at a glance.
void paintLimit(QPainter& painter, const QRectF& plot, const PlotSeries& limit,
                const PlotAxis& vertical);

} // namespace ringmaster::app
