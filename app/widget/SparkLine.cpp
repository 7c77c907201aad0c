#include "app/widget/SparkLine.h"

#include "app/widget/PlotLine.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

void paintSparkLine(QPainter& painter, const QRectF& rect, std::span<const float> values, float top,
                    const QColor& color)
{
    if (values.size() < 2)
        return;
    const float scale = std::max(top, *std::max_element(values.begin(), values.end()));
    const double step = rect.width() / static_cast<double>(values.size() - 1);
    QPolygonF points;
    points.reserve(static_cast<qsizetype>(values.size()) + 2);
    for (size_t i = 0; i < values.size(); ++i) {
        const double height =
            scale > 0 ? rect.height() * static_cast<double>(values[i] / scale) : 0;
        points << QPointF(rect.left() + step * static_cast<double>(i), rect.bottom() - height);
    }
    paintSparkLine(painter, points, rect.bottom(), color);
}

void paintSparkLine(QPainter& painter, QPolygonF points, double bottom, const QColor& color,
                    Qt::PenStyle style)
{
    if (points.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // Many times as fast as a polyline, whose joins don't show at this width.
    QList<QLineF> segments;
    const std::vector<QPointF> line(points.begin(), points.end());
    const auto parts =
        style == Qt::SolidLine ? std::vector<PlotLine::Piece>{line} : cutIntoDashes(line, {4, 3});
    for (const PlotLine::Piece& part : parts) {
        for (size_t i = 1; i < part.size(); ++i)
            segments << QLineF(part[i - 1], part[i]);
    }
    painter.setPen(QPen(color, 1.2, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(segments);
    const double first = points.first().x();
    points << QPointF(points.last().x(), bottom) << QPointF(first, bottom);
    painter.setPen(Qt::NoPen);
    painter.setBrush(withAlpha(color, 0.16));
    painter.drawPolygon(points);
    painter.restore();
}

SparkLineDelegate::SparkLineDelegate(int role, float top, QString longest, QObject* parent)
    : QStyledItemDelegate(parent), m_role(role), m_top(top), m_longest(std::move(longest))
{
}

void SparkLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const
{
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    cell.displayAlignment = Qt::AlignVCenter | Qt::AlignRight;
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const int textWidth = std::max(cell.fontMetrics.horizontalAdvance(m_longest),
                                   cell.fontMetrics.horizontalAdvance(cell.text));
    // Lines of high rows keep apart.
    const double height = std::max(28.0, 0.6 * cell.rect.height());
    const double beside = std::max(4.0, (cell.rect.height() - height) / 2);
    const QRectF area = QRectF(cell.rect).adjusted(6, beside, -textWidth - 10, -beside);
    const auto values = index.data(m_role).value<std::vector<float>>();
    if (area.width() > 12)
        paintSparkLine(*painter, area, values, m_top, themeTokens().running.fill);
}

} // namespace ringmaster::app
