#pragma once

#include "app/widget/StateLook.h"

#include <QFont>
#include <QPointF>
#include <QRect>
#include <QString>

#include <vector>

namespace ringmaster::app {

struct ChartSeries
{
    QString name{};
    int look = 0;                  ///< Which colour and shape it has: see seriesLook().
    std::vector<QPointF> points{}; ///< By x.
    double longestGap = 0;         ///< The line breaks where points are further apart; 0: never.
    bool isLimit = false;          ///< Dashed and without shapes.

    bool operator==(const ChartSeries&) const = default;
};

/// Colour and shape of the n-th series, told apart without the colour.
StateLook seriesLook(int look, const Tokens& tokens);

/// The line's shape at one of its points.
void paintPoint(QPainter& painter, const StateLook& look, const QPointF& center, double size);

/// The names of a chart's series, in as many lines as they need. Lives as long as neither the
/// series nor the chart's width changes.
class ChartLegend
{
public:
    static constexpr int LineHeight = 20;

    ChartLegend(const std::vector<ChartSeries>& series, const QFont& font, int width);

    int height() const { return m_height; }
    /// -1: none.
    int seriesAt(const QPoint& point) const;
    /// Where one is chosen, the others step back.
    void paint(QPainter& painter, int selected) const;
    static double opacityOf(size_t series, int selected);

private:
    const std::vector<ChartSeries>& m_series;
    QFont m_font;
    std::vector<QRect> m_rects; ///< By series.
    int m_height = 0;
};

} // namespace ringmaster::app
