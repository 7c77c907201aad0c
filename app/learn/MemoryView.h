#pragma once

#include "app/learn/LessonPlayer.h"
#include "app/learn/MemoryBars.h"

#include <QWidget>

namespace ringmaster::app {

/// A bar a rank: bytes of the tensors in the variables that the lesson names, at this moment, and a
/// mark at the most until now. The picture's table has the variables themselves.
class MemoryView : public QWidget
{
    Q_OBJECT

public:
    explicit MemoryView(LessonPlayer& player, QWidget* parent = nullptr);

    /// Of variables; empty: the lesson isn't about memory.
    void setNames(std::vector<std::string> names);
    /// Reads what has come, and shows the player's moment.
    void refresh();
    void setTypeScale(double scale);
    bool isEmpty() const { return m_shown.empty(); }
    QSize sizeHint() const override;
    const std::vector<MemoryBars::Bar>& shown() const { return m_shown; }
    /// Of a part of a rank's bar; empty where it has no bytes.
    QRectF placeOf(int rank, size_t part) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont typeFont() const;
    double barHeight() const { return 16 * m_scale; }
    double nameWidth() const;
    double amountWidth() const;
    double xOf(std::uint64_t bytes) const;
    void paintBar(QPainter& painter, int rank) const;
    void paintLegend(QPainter& painter) const;

    LessonPlayer& m_player;
    MemoryBars m_bars;
    std::vector<MemoryBars::Bar> m_shown;
    double m_scale = 1;
};

} // namespace ringmaster::app
