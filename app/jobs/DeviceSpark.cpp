#include "app/jobs/DeviceSpark.h"

#include "app/jobs/TimeGestures.h"
#include "app/widget/SparkLine.h"
#include "app/widget/Tokens.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {
constexpr int TextHeight = 17;
constexpr double LowOpacity = 0.45;
} // namespace

DeviceSpark::DeviceSpark(TimeSpan& span, QWidget* keys, QWidget* parent)
    : QWidget(parent), m_span(span)
{
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent); // what is behind isn't painted with it
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* gestures = new TimeGestures(span, TimeGestures::BareKeys::Range, this, keys,
                                      [this] { return plotRect(); });
    Q_UNUSED(gestures)
    connect(&span, &TimeSpan::changed, this, qOverload<>(&QWidget::update));
}

void DeviceSpark::show(const QString& device, const DeviceTrack& track)
{
    m_device = device;
    m_track = &track;
    const QString words =
        QStringLiteral("%1, %2: %3").arg(m_device, quantityName(track.quantity), valueText());
    setAccessibleName(words);
    setToolTip(words);
    update();
}

void DeviceSpark::setLow(bool isLow)
{
    if (std::exchange(m_isLow, isLow) == isLow)
        return;
    updateGeometry();
    update();
}

QRect DeviceSpark::plotRect() const
{
    if (m_isLow)
        return rect().adjusted(0, 1, -8, -2);
    return rect().adjusted(0, TextHeight, -8, -2);
}

std::vector<double> DeviceSpark::values() const
{
    const auto end = static_cast<double>(m_span.shown().to);
    const auto& first = m_track->lines.front();
    return valuesAt(*m_track,
                    m_cursor.value_or(std::min(end, first.empty() ? end : first.back().x())));
}

QString DeviceSpark::valueText() const
{
    return trackText(*m_track, values());
}

/// Of what is shown: a burst long ago shouldn't flatten the rest.
double DeviceSpark::shownTop() const
{
    const TimeSpan::Range range = m_span.shown();
    double top = m_track->top;
    for (const auto& line : m_track->lines) {
        for (const QPointF& point : line) {
            if (point.x() >= static_cast<double>(range.from) &&
                point.x() <= static_cast<double>(range.to))
                top = std::max(top, point.y());
        }
    }
    return top;
}

std::vector<QPolygonF> DeviceSpark::polygons(const std::vector<QPointF>& line, double top) const
{
    const TimeSpan::Range range = m_span.shown();
    const QRectF plot = plotRect();
    std::vector<QPolygonF> found(1);
    for (size_t i = 0; i < line.size(); ++i) {
        if (i > 0 && isGap(line, i))
            found.emplace_back();
        const double fraction =
            (line[i].x() - static_cast<double>(range.from)) / static_cast<double>(range.length());
        const double height = top > 0 ? line[i].y() / top * plot.height() : 0;
        found.back() << QPointF(plot.left() + fraction * plot.width(), plot.bottom() - height);
    }
    return found;
}

void DeviceSpark::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeTokens().card);
    painter.setOpacity(m_isLow ? LowOpacity : 1);
    paintLines(painter);
    painter.setOpacity(1);
    paintWords(painter);
}

void DeviceSpark::paintWords(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    QFont small = font();
    small.setPixelSize(12);
    painter.setFont(small);
    const QFontMetrics metrics = painter.fontMetrics();
    const QRect words(0, 0, plotRect().width(), m_isLow ? height() : TextHeight - 2);
    const QString value = shortTrackText(*m_track, values());
    const int valueWidth = metrics.horizontalAdvance(value);
    if (m_isLow)
        painter.fillRect(QRect(words.right() - valueWidth - 3, 0, valueWidth + 4, height() - 3),
                         withAlpha(tokens.card, 0.75));
    painter.setPen(tokens.text);
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, value);
    // Where there isn't room for both, the value matters more.
    const int room = words.width() - valueWidth - 8;
    painter.setPen(tokens.mutedText);
    painter.drawText(
        words, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(quantityName(m_track->quantity), Qt::ElideRight, std::max(room, 0)));
}

void DeviceSpark::paintLines(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    const QRectF plot = plotRect();
    painter.save();
    painter.setPen(tokens.grid);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.setClipRect(plot.adjusted(0, -1, 0, 1));
    const double top = shownTop();
    for (size_t line = 0; line < m_track->lines.size(); ++line) {
        const bool isSent = line == 1;
        for (const QPolygonF& part : polygons(m_track->lines[line], top))
            paintSparkLine(painter, part, plot.bottom(),
                           isSent ? tokens.restarted.fill : tokens.running.fill,
                           isSent ? Qt::DashLine : Qt::SolidLine);
    }
    if (m_cursor) {
        const double fraction = (*m_cursor - static_cast<double>(m_span.shown().from)) /
                                static_cast<double>(m_span.shown().length());
        const double x = plot.left() + fraction * plot.width();
        painter.setPen(QPen(tokens.mutedText, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
    painter.restore();
}

void DeviceSpark::mouseMoveEvent(QMouseEvent* event)
{
    const QRect plot = plotRect();
    const double fraction =
        std::clamp(double(event->pos().x() - plot.left()) / std::max(1, plot.width()), 0.0, 1.0);
    const TimeSpan::Range range = m_span.shown();
    m_cursor = static_cast<double>(range.from) + fraction * static_cast<double>(range.length());
    update();
}

void DeviceSpark::leaveEvent(QEvent*)
{
    m_cursor.reset();
    update();
}

} // namespace ringmaster::app
