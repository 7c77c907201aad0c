#include "app/widget/Chart.h"

#include "app/widget/AccessibleRole.h"
#include "app/widget/SizedFont.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr int AxisHeight = 22;
constexpr int Reach = 14; ///< Pixels around a line that still mean it.
constexpr double GlyphSize = 7;
constexpr double RoomForShapes = 16; ///< Pixels between points that each have a shape.

} // namespace

Chart::Chart(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleRole(this, QAccessible::Chart);
}

void Chart::setSeries(std::vector<ChartSeries> series)
{
    if (series == m_series)
        return;
    m_series = std::move(series);
    if (m_selected >= static_cast<int>(m_series.size()))
        m_selected = -1;
    update();
}

void Chart::setAxes(ChartAxis horizontal, ChartAxis vertical)
{
    m_horizontal = std::move(horizontal);
    m_vertical = std::move(vertical);
    update();
}

void Chart::setSelected(int series)
{
    if (std::exchange(m_selected, series) != series)
        update();
}

double Chart::fractionOf(const ChartAxis& axis, double value)
{
    if (axis.scale == ChartAxis::Scale::Linear)
        return (value - axis.from) / (axis.to - axis.from);
    return value > 0 ? std::log(value / axis.from) / std::log(axis.to / axis.from) : -1;
}

int Chart::labelWidth() const
{
    QFont small = font();
    small.setPixelSize(11);
    const QFontMetrics metrics(small);
    int width = 0;
    for (const ChartTick& tick : m_vertical.ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width + 8 + (m_vertical.title.isEmpty() ? 0 : ChartLegend::LineHeight);
}

QRect Chart::plotRect() const
{
    return rect().adjusted(labelWidth(), legend().height() + 8, -14, -AxisHeight);
}

QPointF Chart::place(const QPointF& point, const QRect& plot) const
{
    return {plot.left() + fractionOf(m_horizontal, point.x()) * plot.width(),
            plot.bottom() - fractionOf(m_vertical, point.y()) * plot.height()};
}

const QPointF* Chart::nearest(const ChartSeries& series, double x, const QRect& plot) const
{
    const QPointF* best = nullptr;
    double least = 0;
    for (const QPointF& point : series.points) {
        const double distance = std::abs(place(point, plot).x() - x);
        if (best == nullptr || distance < least) {
            best = &point;
            least = distance;
        }
    }
    return least <= Reach ? best : nullptr;
}

int Chart::seriesAt(const QPoint& point) const
{
    if (const int named = legend().seriesAt(point); named >= 0)
        return named;
    const QRect plot = plotRect();
    int found = -1;
    double least = Reach;
    for (size_t i = 0; i < m_series.size(); ++i) {
        const QPointF* near = nearest(m_series[i], point.x(), plot);
        const double distance =
            near == nullptr ? Reach : std::abs(place(*near, plot).y() - point.y());
        if (distance < least) {
            least = distance;
            found = static_cast<int>(i);
        }
    }
    return found;
}

void Chart::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        Q_EMIT seriesChosen(seriesAt(event->pos()));
}

void Chart::mouseMoveEvent(QMouseEvent* event)
{
    const QRect plot = plotRect();
    m_cursor.reset();
    if (plot.contains(event->pos())) {
        const double fraction = static_cast<double>(event->pos().x() - plot.left()) / plot.width();
        m_cursor =
            m_horizontal.scale == ChartAxis::Scale::Linear
                ? m_horizontal.from + fraction * (m_horizontal.to - m_horizontal.from)
                : m_horizontal.from * std::pow(m_horizontal.to / m_horizontal.from, fraction);
    }
    update();
}

void Chart::leaveEvent(QEvent*)
{
    m_cursor.reset();
    update();
}

/// From point to point of the chosen series, else of the first.
void Chart::stepCursor(int by)
{
    if (m_series.empty())
        return;
    const auto& points = m_series[static_cast<size_t>(std::max(0, m_selected))].points;
    if (points.empty())
        return;
    const auto last = static_cast<int>(points.size()) - 1;
    int at = by > 0 ? 0 : last;
    if (m_cursor) {
        const double x = *m_cursor;
        const auto near = std::ranges::min_element(
            points, {}, [x](const QPointF& point) { return std::abs(point.x() - x); });
        at = std::clamp(static_cast<int>(near - points.begin()) + by, 0, last);
    }
    m_cursor = points[static_cast<size_t>(at)].x();
    update();
}

void Chart::keyPressEvent(QKeyEvent* event)
{
    const auto count = static_cast<int>(m_series.size());
    switch (event->key()) {
    case Qt::Key_Left: stepCursor(-1); break;
    case Qt::Key_Right: stepCursor(1); break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (count > 0)
            Q_EMIT seriesChosen(
                std::clamp(m_selected + (event->key() == Qt::Key_Up ? -1 : 1), 0, count - 1));
        break;
    case Qt::Key_Escape:
        if (m_selected < 0 && !m_cursor)
            return QWidget::keyPressEvent(event);
        m_cursor.reset();
        Q_EMIT seriesChosen(-1);
        update();
        break;
    default: return QWidget::keyPressEvent(event);
    }
    event->accept();
}

void Chart::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

void Chart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect plot = plotRect();
    if (plot.width() < 20 || plot.height() < 20)
        return;
    paintAxes(painter, plot);
    legend().paint(painter, m_selected);
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
    painter.setOpacity(ChartLegend::opacityOf(index, m_selected));
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
                paintPoint(painter, look, line[i], GlyphSize);
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
        paintPoint(painter, look, place(*point, plot), GlyphSize + 3);
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
