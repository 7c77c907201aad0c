#include "app/widget/ChartLegend.h"

#include "app/widget/SizedFont.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double ShapeSize = 8;
constexpr double Faded = 0.28;

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

void paintPoint(QPainter& painter, const StateLook& look, const QPointF& center, double size)
{
    const QPointF half(size / 2, size / 2);
    paintGlyph(painter, QRectF(center - half, center + half), look.shape, look.color.fill);
}

ChartLegend::ChartLegend(const std::vector<ChartSeries>& series, const QFont& font, int width)
    : m_series(series), m_font(sized(font, 12))
{
    const QFontMetrics metrics(m_font);
    int x = 6;
    for (const ChartSeries& each : series) {
        const int wide = metrics.horizontalAdvance(each.name) + 34;
        if (x > 6 && x + wide > width) {
            x = 6;
            m_height += LineHeight;
        }
        m_rects.emplace_back(x, m_height, wide, LineHeight);
        x += wide;
    }
    if (!series.empty())
        m_height += LineHeight;
}

int ChartLegend::seriesAt(const QPoint& point) const
{
    const auto found =
        std::ranges::find_if(m_rects, [&](const QRect& rect) { return rect.contains(point); });
    return found == m_rects.end() ? -1 : static_cast<int>(found - m_rects.begin());
}

double ChartLegend::opacityOf(size_t series, int selected)
{
    return selected < 0 || static_cast<size_t>(selected) == series ? 1 : Faded;
}

void ChartLegend::paint(QPainter& painter, int selected) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(m_font);
    for (size_t i = 0; i < m_rects.size(); ++i) {
        const QRectF area = m_rects[i];
        const StateLook look = seriesLook(m_series[i].look, tokens);
        const QColor color = m_series[i].isLimit ? tokens.mutedText : look.color.fill;
        painter.setOpacity(opacityOf(i, selected));
        painter.setPen(QPen(color, 2, m_series[i].isLimit ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(area.left(), area.center().y()),
                         QPointF(area.left() + 16, area.center().y()));
        if (!m_series[i].isLimit)
            paintPoint(painter, look, {area.left() + 8, area.center().y()}, ShapeSize);
        painter.setPen(static_cast<int>(i) == selected ? tokens.text : tokens.mutedText);
        painter.drawText(area.adjusted(21, 0, 0, 0), Qt::AlignVCenter, m_series[i].name);
    }
    painter.setOpacity(1);
}

} // namespace ringmaster::app
