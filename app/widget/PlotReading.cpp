#include "app/widget/PlotReading.h"

#include "app/widget/SizedFont.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr double MarkSize = 9;
constexpr int BoxMargin = 8;
constexpr int LineHeight = 17;

QPointF inPlot(const QRectF& plot, const QPointF& place)
{
    return {plot.left() + place.x() * plot.width(), plot.bottom() - place.y() * plot.height()};
}

/// Where the points of a line are far apart, each is meant by what is on its side of the middle.
double reachOf(const PlotSeries& series, const PlotAxis& horizontal, double reach)
{
    constexpr double Furthest = 0.08;
    if (series.points.size() < 2)
        return reach;
    const double width = horizontal.fractionOf(series.points.back().x()) -
                         horizontal.fractionOf(series.points.front().x());
    const double half = width / static_cast<double>(series.points.size() - 1) / 2;
    return std::max(reach, std::min(half * 1.01, Furthest));
}

} // namespace

const QPointF* nearestPoint(const PlotSeries& series, const PlotAxis& horizontal, double fraction,
                            double reach)
{
    const std::vector<QPointF>& points = series.points;
    const auto after =
        std::ranges::lower_bound(points, horizontal.valueAt(fraction), {}, &QPointF::x);
    const QPointF* best = nullptr;
    double least = reach;
    for (auto near = after == points.begin() ? after : after - 1;
         near != points.end() && near <= after; ++near) {
        const double distance = std::abs(horizontal.fractionOf(near->x()) - fraction);
        if (distance <= least) {
            least = distance;
            best = &*near;
        }
    }
    return best;
}

std::vector<PlotReading> readingsAt(const std::vector<PlotSeries>& series,
                                    const std::vector<bool>& isShown, const PlotAxis& horizontal,
                                    const PlotAxis& vertical, double fraction, double reach)
{
    std::vector<PlotReading> readings;
    for (size_t i = 0; i < series.size(); ++i) {
        if (!isShown[i])
            continue;
        // A limit holds everywhere.
        const QPointF* point = series[i].isLimit && !series[i].points.empty()
                                   ? &series[i].points.front()
                                   : nearestPoint(series[i], horizontal, fraction,
                                                  reachOf(series[i], horizontal, reach));
        if (point == nullptr)
            continue;
        const double across = series[i].isLimit ? fraction : horizontal.fractionOf(point->x());
        const QPointF place(across, vertical.fractionOf(point->y()));
        if (std::isfinite(place.y()))
            readings.push_back({static_cast<int>(i), *point, place});
    }
    return readings;
}

QStringList readingLines(const std::vector<PlotReading>& readings,
                         const std::vector<PlotSeries>& series, const PlotAxis& horizontal,
                         const PlotAxis& vertical)
{
    QStringList lines;
    const auto measured = std::ranges::find_if(readings, [&](const PlotReading& reading) {
        return !series[static_cast<size_t>(reading.series)].isLimit;
    });
    if (measured == readings.end() || !horizontal.text || !vertical.text)
        return lines;
    lines << horizontal.text(measured->point.x());
    for (const PlotReading& reading : readings)
        lines << QStringLiteral("%1: %2").arg(series[static_cast<size_t>(reading.series)].name,
                                              vertical.text(reading.point.y()));
    return lines;
}

void paintReadings(QPainter& painter, const QRectF& plot, double fraction,
                   const std::vector<PlotReading>& readings, const std::vector<PlotSeries>& series,
                   const QStringList& lines)
{
    const Tokens& tokens = themeTokens();
    const double x = plot.left() + fraction * plot.width();
    painter.setPen(QPen(tokens.mutedText, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    if (lines.isEmpty())
        return;
    for (const PlotReading& reading : readings) {
        const PlotSeries& line = series[static_cast<size_t>(reading.series)];
        if (!line.isLimit && plot.adjusted(-1, -1, 1, 1).contains(inPlot(plot, reading.place)))
            paintPoint(painter, line.look, seriesColor(line.look, tokens),
                       inPlot(plot, reading.place), MarkSize);
    }
    painter.setFont(sized(painter.font(), 12));
    const QFontMetrics metrics = painter.fontMetrics();
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    const int sample = 14;
    QRectF box(x + 10, plot.top() + 4, width + sample + 2 * BoxMargin,
               static_cast<double>(lines.size()) * LineHeight + BoxMargin);
    if (box.right() > plot.right())
        box.moveRight(x - 10);
    if (box.left() < plot.left())
        box.moveLeft(std::max(0.0, std::min(plot.left() + 4, plot.right() - box.width())));
    painter.setPen(tokens.border);
    painter.setBrush(withAlpha(tokens.card, 0.94));
    painter.drawRoundedRect(box, 5, 5);
    QRectF row(box.left() + BoxMargin, box.top() + BoxMargin / 2.0, width + sample, LineHeight);
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0) {
            const PlotSeries& line =
                series[static_cast<size_t>(readings[static_cast<size_t>(i - 1)].series)];
            paintPoint(painter, line.look, seriesColor(line.look, tokens),
                       {row.left() + 4, row.center().y()}, 7);
        }
        painter.setPen(i > 0 ? tokens.text : tokens.mutedText);
        painter.setBrush(Qt::NoBrush);
        painter.drawText(row.adjusted(i > 0 ? sample : 0, 0, 0, 0),
                         Qt::AlignVCenter | Qt::TextSingleLine, lines[i]);
        row.translate(0, LineHeight);
    }
}

void paintLimit(QPainter& painter, const QRectF& plot, const PlotSeries& limit,
                const PlotAxis& vertical)
{
    if (limit.points.empty() || !vertical.text)
        return;
    const double value = limit.points.front().y();
    const double fraction = vertical.fractionOf(value);
    if (!(fraction >= 0 && fraction <= 1))
        return;
    constexpr int Height = 15;
    const Tokens& tokens = themeTokens();
    const double y = plot.bottom() - fraction * plot.height();
    const double top = y - Height - 1 > plot.top() ? y - Height - 1 : y + 1;
    painter.setFont(sized(painter.font(), 11));
    painter.setPen(mixed(seriesColor(limit.look, tokens), tokens.text, 0.35));
    painter.drawText(QRectF(plot.left(), top, plot.width() - 4, Height),
                     Qt::AlignRight | Qt::AlignVCenter, vertical.text(value));
}

} // namespace ringmaster::app
