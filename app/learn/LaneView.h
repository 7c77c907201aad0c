#pragma once

#include "app/learn/LessonPlayer.h"

#include <QWidget>

namespace ringmaster::app {

/// A lane a rank over time: computing, held by the reader, in an operation, waiting; and, below one
/// that is in no operation, that requests of its own are under way. The table of steps has the same
/// times.
class LaneView : public QWidget
{
    Q_OBJECT

public:
    explicit LaneView(LessonPlayer& player, QWidget* parent = nullptr);

    void setTypeScale(double scale);
    bool isEmpty() const;
    QSize sizeHint() const override;
    /// Of a time on the axis.
    double xOf(std::int64_t ns) const;
    QRectF laneOf(int rank) const;
    /// What a rank does there, and how long; empty: no lane is there.
    QString textAt(const QPointF& place) const;
    /// What is said of it to those who don't see it.
    void refresh();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    const lesson::Lanes* lanes() const;
    QFont typeFont() const;
    double laneHeight() const { return 14 * m_scale; }
    double nameWidth() const;
    /// Of the axis's length; 0 where there is none.
    double shareOf(std::int64_t ns) const;
    /// Of a recorded job, those that are shown.
    std::vector<int> ranks() const;
    bool isRecordedJob() const;
    QRectF placeOf(const lesson::Lanes::Span& span, const QRectF& lane) const;
    void paintLane(QPainter& painter, int rank) const;
    void paintLegend(QPainter& painter) const;
    void goTo(double x);

    LessonPlayer& m_player;
    double m_scale = 1;
    std::pair<const LessonRun*, size_t> m_described; ///< With so many steps.
};

} // namespace ringmaster::app
