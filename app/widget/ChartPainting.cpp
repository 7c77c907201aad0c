#include "app/widget/Chart.h"
#include "app/widget/SizedFont.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double GlyphSize = 7;
constexpr double Faded = 0.28;
constexpr double RoomForShapes = 16; ///< Pixels between points that each have a shape.

void paintShape(QPainter& painter, const StateLook& look, const QPointF& center, double size)
{
    const QPointF half(size / 2, size / 2);
    paintGlyph(painter, QRectF(center - half, center + half), look.shape, look.color.fill);
}

} // namespace

void Chart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect plot = plotRect();
    if (plot.width() < 20 || plot.height() < 20)
        return;
    paintAxes(painter, plot);
    paintLegend(painter);
    painter.save();
    painter.setClipRect(QRectF(plot).adjusted(-GlyphSize, -GlyphSize, GlyphSize, 2));
    for (size_t i = 0; i < m_series.size(); ++i)
        paintSeries(painter, i, plot);
    painter.restore();
    paintReadout(painter, plot);
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

void Chart::paintAxes(QPainter& painter, const QRect& plot) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(sized(font(), 11));
    const QFontMetrics metrics = painter.fontMetrics();
    for (const ChartTick& tick : m_vertical.ticks) {
        const double y = plot.bottom() - fractionOf(m_vertical, tick.at) * plot.height();
        if (y < plot.top() - 1 || y > plot.bottom() + 1)
            continue;
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(tokens.mutedText);
        painter.drawText(QRectF(0, y - 8, plot.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick.label);
    }
    double labelEnd = -1e9;
    for (const ChartTick& tick : m_horizontal.ticks) {
        const double x = plot.left() + fractionOf(m_horizontal, tick.at) * plot.width();
        if (x < plot.left() - 1 || x > plot.right() + 1)
            continue;
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const double half = metrics.horizontalAdvance(tick.label) / 2.0;
        if (tick.label.isEmpty() || x - half < labelEnd || x + half > width())
            continue;
        labelEnd = x + half + 6;
        painter.setPen(tokens.mutedText);
        painter.drawText(QPointF(x - half, plot.bottom() + 15), tick.label);
    }
    paintVerticalTitle(painter, plot);
}

void Chart::paintVerticalTitle(QPainter& painter, const QRect& plot) const
{
    if (m_vertical.title.isEmpty())
        return;
    painter.save();
    painter.setPen(themeTokens().mutedText);
    painter.translate(14, plot.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-plot.height() / 2.0, -10, plot.height(), 16), Qt::AlignCenter,
                     m_vertical.title);
    painter.restore();
}

double Chart::opacityOf(size_t index) const
{
    return m_selected < 0 || static_cast<size_t>(m_selected) == index ? 1 : Faded;
}

void Chart::paintLegend(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(sized(font(), 12));
    const Legend shown = legend();
    for (size_t i = 0; i < shown.rects.size(); ++i) {
        const QRectF area = shown.rects[i];
        const StateLook look = seriesLook(m_series[i].look, tokens);
        const QColor color = m_series[i].isLimit ? tokens.mutedText : look.color.fill;
        painter.setOpacity(opacityOf(i));
        painter.setPen(QPen(color, 2, m_series[i].isLimit ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(area.left(), area.center().y()),
                         QPointF(area.left() + 16, area.center().y()));
        if (!m_series[i].isLimit)
            paintShape(painter, look, {area.left() + 8, area.center().y()}, GlyphSize + 1);
        painter.setPen(static_cast<size_t>(std::max(0, m_selected)) == i && m_selected >= 0
                           ? tokens.text
                           : tokens.mutedText);
        painter.drawText(area.adjusted(21, 0, 0, 0), Qt::AlignVCenter, m_series[i].name);
    }
    painter.setOpacity(1);
}

void Chart::paintSeries(QPainter& painter, size_t index, const QRect& plot) const
{
    const Tokens& tokens = themeTokens();
    const ChartSeries& series = m_series[index];
    const StateLook look = seriesLook(series.look, tokens);
    QPen pen(series.isLimit ? tokens.mutedText : look.color.fill,
             static_cast<int>(index) == m_selected ? 2.6 : 1.8);
    if (series.isLimit)
        pen.setDashPattern({6, 4});
    std::vector<QPolygonF> lines(1);
    for (size_t i = 0; i < series.points.size(); ++i) {
        const QPointF& point = series.points[i];
        if (m_vertical.scale == ChartAxis::Scale::Logarithmic && !(point.y() > 0))
            continue;
        if (i > 0 && series.longestGap > 0 &&
            point.x() - series.points[i - 1].x() > series.longestGap)
            lines.emplace_back();
        lines.back() << place(point, plot);
    }
    painter.setOpacity(opacityOf(index));
    for (const QPolygonF& line : lines) {
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        if (series.isLimit || line.isEmpty())
            continue;
        const double spacing =
            line.size() > 1 ? (line.last().x() - line.first().x()) / double(line.size() - 1) : 0;
        const auto each =
            spacing > 0 ? std::max(1, static_cast<int>(std::ceil(RoomForShapes / spacing))) : 1;
        for (qsizetype i = line.size() - 1; i >= 0; i -= each) {
            if (line[i].x() >= plot.left() - 1 && line[i].x() <= plot.right() + 1)
                paintShape(painter, look, line[i], GlyphSize);
        }
    }
    painter.setOpacity(1);
}

void Chart::paintReadout(QPainter& painter, const QRect& plot) const
{
    if (!m_cursor || !m_vertical.text)
        return;
    const Tokens& tokens = themeTokens();
    const double x = plot.left() + fractionOf(m_horizontal, *m_cursor) * plot.width();
    if (x < plot.left() - 1 || x > plot.right() + 1)
        return;
    painter.setPen(QPen(tokens.mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    QStringList lines;
    for (const ChartSeries& series : m_series) {
        const QPointF* point = nearest(series, x, plot);
        if (point == nullptr)
            continue;
        if (lines.isEmpty() && m_horizontal.text)
            lines << m_horizontal.text(point->x());
        lines << QStringLiteral("%1: %2").arg(series.name, m_vertical.text(point->y()));
        const StateLook look = seriesLook(series.look, tokens);
        paintShape(painter, look, place(*point, plot), GlyphSize + 3);
    }
    if (lines.isEmpty())
        return;
    painter.setFont(sized(font(), 12));
    const QRectF text = painter.fontMetrics().boundingRect(rect(), 0, lines.join(u'\n'));
    QRectF box(x + 10, plot.top() + 4, text.width() + 16, text.height() + 10);
    if (box.right() > plot.right())
        box.moveRight(x - 10);
    painter.setPen(tokens.border);
    painter.setBrush(withAlpha(tokens.card, 0.94));
    painter.drawRoundedRect(box, 5, 5);
    painter.setPen(tokens.text);
    painter.drawText(box.adjusted(8, 5, -4, -4), 0, lines.join(u'\n'));
}

} // namespace ringmaster::app
