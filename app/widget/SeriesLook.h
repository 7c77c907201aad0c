#pragma once

#include "app/widget/StateLook.h"

#include <vector>

namespace ringmaster::app {

/// How the line of a chart is told from others. Each part has one meaning on every page: a colour
/// is a backend, a pattern and its shade a collective, a shape what else there are several of.
struct SeriesLook
{
    int color = 0;
    int line = 0;
    int shape = 0;

    auto operator<=>(const SeriesLook&) const = default;
};

QColor seriesColor(const SeriesLook& look, const Tokens& tokens);
Glyph seriesShape(const SeriesLook& look);
/// Pixels on, off, on …; empty: a solid line.
const std::vector<double>& seriesDashes(const SeriesLook& look);

/// The line's shape at one of its points.
void paintPoint(QPainter& painter, const SeriesLook& look, const QColor& color,
                const QPointF& center, double size);

/// A colour that covers, where a transparent one would show each overlap.
QColor mixed(const QColor& color, const QColor& other, double share);

} // namespace ringmaster::app
