#pragma once

#include "app/model/RunModel.h"

#include <QAbstractScrollArea>

namespace ringmaster::app {

/// Draws what the workers did over time: one lane a rank, a bar a state, a dashed line a restart
/// with what it left of the budget. Only time is zoomed; it shows all of the run until the user
/// zooms or moves. Its twin is the table of TimelineModel.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit TimelineView(const RunModel& run, QWidget* parent = nullptr);

    void setSelectedRank(int globalRank);
    void zoom(double factor, double atFraction = 0.5);
    void showAll();
    bool showsAll() const { return m_showsAll; }

Q_SIGNALS:
    void rankChosen(int globalRank);
    void showsAllChanged(bool showsAll);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    static constexpr int LaneGap = 7;
    static constexpr int MarkHeight = 16; ///< room above the lanes for the restarts' labels

    struct Window
    {
        std::int64_t from = 0; ///< monotonic ns
        std::int64_t to = 1;
    };

    Window window() const;
    std::int64_t runEnd() const;
    void setWindow(Window window);
    void pan(double fraction);
    int laneHeight() const;
    void updateScrollBar();
    QRect plotRect() const;
    double xOf(std::int64_t monotonicNs, const QRect& plot, const Window& window) const;
    int rankAt(int y) const;

    // TimelinePainting.cpp
    void paintLane(QPainter& painter, int rank, const QRect& lane, const QRect& plot);
    void paintSpan(QPainter& painter, const StateSpan& span, const QRectF& bar);
    void paintFailure(QPainter& painter, const QPointF& center);
    void paintRestarts(QPainter& painter, const QRect& plot);
    void paintAxis(QPainter& painter, const QRect& plot);
    QString toolTipAt(const QPoint& point) const;

    const RunModel& m_run;
    bool m_showsAll = true;
    Window m_window;
    int m_selectedRank = -1;
    QPoint m_dragFrom;
};

} // namespace ringmaster::app
