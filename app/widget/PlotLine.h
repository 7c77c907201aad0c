#pragma once

#include "app/widget/PlotSeries.h"

#include <QSizeF>

namespace ringmaster::app {

/// The points of one series that are drawn, and where its line is interrupted.
class PlotLine
{
public:
    using Piece = std::vector<QPointF>; ///< Fractions of the axes, by x.

    /// At most two points a column of pixels, its least and its greatest; nothing outside of the
    /// horizontal axis but the ends of lines that cross its edge.
    PlotLine(const PlotSeries& series, const PlotAxis& horizontal, const PlotAxis& vertical,
             int columns);

    /// A line each: between them nothing was measured.
    const std::vector<Piece>& pieces() const { return m_pieces; }
    /// All pieces, cut into these dashes of pixels, with a NaN where the line is interrupted. Pens
    /// with dashes cost many times as much on a line with many corners.
    std::vector<QPointF> dashed(const std::vector<double>& dashes, QSizeF plot) const;

private:
    std::vector<Piece> m_pieces;
};

/// The shapes of a line's points: each has one, or, where they are dense, one now and then.
void paintPoints(QPainter& painter, const QRectF& plot, const PlotLine& line,
                 const SeriesLook& look, const QColor& color);

/// Cuts a line into dashes along x, in the points' own unit: a line that goes up and down steeply
/// is dashed as evenly as a flat one. Its parts, each a line.
std::vector<PlotLine::Piece> cutIntoDashes(const PlotLine::Piece& line,
                                           const std::vector<double>& dashes);

} // namespace ringmaster::app
