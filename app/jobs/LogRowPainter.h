#pragma once

#include <QFont>
#include <QRect>
#include <QString>

class QModelIndex;
class QPainter;

namespace ringmaster::app {

/// Draws one line of a log: time, rank, number, text in its colours; on one row, or on as many as
/// it needs.
class LogRowPainter
{
public:
    struct Look
    {
        QFont font{};
        bool hasTime = true;
        bool isWrapped = false;
    };

    explicit LogRowPainter(Look look) : m_look(std::move(look)) {}

    /// Of a line that isn't wrapped.
    int rowHeight() const;
    /// Where there is so much width.
    int height(const QModelIndex& line, int width) const;
    /// Returns how wide it is.
    int paint(QPainter& painter, const QModelIndex& line, const QRect& rect) const;

private:
    struct Run
    {
        QString text{};
        QColor color{};
        QColor ground{};
        bool isBold = false;
        bool isItalic = false;
        bool isUnderlined = false;
    };

    QList<Run> runsOf(const QModelIndex& line) const;
    QList<Run> headOf(const QModelIndex& line) const;
    int paintRun(QPainter& painter, const Run& run, const QPoint& corner) const;
    /// Lays the line out and, with a painter, draws it; returns its height.
    int wrap(const QModelIndex& line, const QRect& rect, QPainter* painter) const;

    Look m_look;
};

} // namespace ringmaster::app
