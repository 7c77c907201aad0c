#pragma once

#include <QStyledItemDelegate>

#include <span>

class QPainter;

namespace ringmaster::app {

/// The last values of one quantity as a small line. The scale begins at 0 and ends at `top`, or at
/// the largest value if that is more.
void paintSparkLine(QPainter& painter, const QRectF& rect, std::span<const float> values, float top,
                    const QColor& color);

/// A line that somebody else has placed, with what is below it down to `bottom` tinted.
void paintSparkLine(QPainter& painter, QPolygonF points, double bottom, const QColor& color,
                    Qt::PenStyle style = Qt::SolidLine);

/// Draws a cell whose `role` holds a std::vector<float>, with the display text at the right of it,
/// in a place that is as wide as `longest`: lines below each other end alike.
class SparkLineDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    SparkLineDelegate(int role, float top, QString longest, QObject* parent);

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

private:
    int m_role;
    float m_top;
    QString m_longest;
};

} // namespace ringmaster::app
