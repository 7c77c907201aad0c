#include "app/widget/Chart.h"

#include "app/widget/AccessibleRole.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr int AxisHeight = 22;
constexpr int LegendLine = 20;
constexpr int Reach = 14; ///< Pixels around a line that still mean it.

} // namespace

StateLook seriesLook(int look, const Tokens& tokens)
{
    switch (look % 6) {
    case 0: return {tokens.running, Glyph::Circle};
    case 1: return {tokens.finished, Glyph::Square};
    case 2: return {tokens.warning, Glyph::Triangle};
    case 3: return {tokens.restarted, Glyph::HollowCircle};
    case 4: return {tokens.stopped, Glyph::Cross};
    default: return {tokens.failed, Glyph::DashedRing};
    }
}

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
    return width + 8 + (m_vertical.title.isEmpty() ? 0 : LegendLine);
}

QRect Chart::plotRect() const
{
    return rect().adjusted(labelWidth(), legend().height + 8, -14, -AxisHeight);
}

QPointF Chart::place(const QPointF& point, const QRect& plot) const
{
    return {plot.left() + fractionOf(m_horizontal, point.x()) * plot.width(),
            plot.bottom() - fractionOf(m_vertical, point.y()) * plot.height()};
}

Chart::Legend Chart::legend() const
{
    QFont small = font();
    small.setPixelSize(12);
    const QFontMetrics metrics(small);
    Legend legend;
    int x = 6;
    for (const ChartSeries& series : m_series) {
        const int wide = metrics.horizontalAdvance(series.name) + 34;
        if (x > 6 && x + wide > width()) {
            x = 6;
            legend.height += LegendLine;
        }
        legend.rects.emplace_back(x, legend.height, wide, LegendLine);
        x += wide;
    }
    if (!m_series.empty())
        legend.height += LegendLine;
    return legend;
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
    const Legend shown = legend();
    for (size_t i = 0; i < shown.rects.size(); ++i) {
        if (shown.rects[i].contains(point))
            return static_cast<int>(i);
    }
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

} // namespace ringmaster::app
