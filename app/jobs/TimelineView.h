#pragma once

#include "app/model/TimeSpan.h"

#include <QAbstractScrollArea>

namespace ringmaster::app {

/// Draws what the workers did over time: one lane a rank, a bar a state, a dashed line a restart
/// with what it left of the budget; above the lanes, where the time to the first collective went.
/// Only time is zoomed: it shows what `span` says. Its twin is the
/// table of TimelineModel.
class TimelineView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    TimelineView(const RunModel& run, TimeSpan& span, QWidget* parent = nullptr);

    void setSelectedRank(int globalRank);

Q_SIGNALS:
    void rankChosen(int globalRank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    static constexpr int LaneGap = 7;
    static constexpr int MarkHeight = 16;  ///< room above the lanes for the restarts' labels
    static constexpr int StartHeight = 19; ///< below them, for the ways to the first collective
    static constexpr int HostHeight = 17;  ///< of a host, below those
    static constexpr int MostHosts = 8;    ///< The table has all.

    int laneHeight() const;
    void updateScrollBar();
    QRect plotRect() const;
    /// Of the ways to the first collective; empty: none is known.
    QRect startRect(const QRect& plot) const;
    /// Of one of the hosts.
    QRect hostRect(int host, const QRect& plot) const;
    int shownHosts() const;
    double xOf(std::int64_t monotonicNs, const QRect& plot, const TimeSpan::Range& shown) const;
    int rankAt(int y) const;

    // TimelinePainting.cpp
    void paintLane(QPainter& painter, int rank, const QRect& lane, const QRect& plot);
    void paintSpan(QPainter& painter, const StateSpan& span, const QRectF& bar);
    void paintFailure(QPainter& painter, const QPointF& center);
    void paintRestarts(QPainter& painter, const QRect& plot);
    void paintStarts(QPainter& painter, const QRect& plot);
    void paintPhases(QPainter& painter, const StartMark& mark, const QRect& row);
    void paintHosts(QPainter& painter, const QRect& plot);
    void paintAxis(QPainter& painter, const QRect& plot);
    QString toolTipAt(const QPoint& point) const;
    const StateSpan* spanAt(const std::deque<RunHistory::SpanId>& lane, int x,
                            const QRect& plot) const;
    std::int64_t endOf(const StateSpan& span) const;
    QString hostToolTipAt(const QPoint& point, const QRect& plot) const;
    const StartMark* startAt(const QPoint& point, const QRect& plot) const;

    const RunModel& m_run;
    TimeSpan& m_span;
    int m_selectedRank = -1;
};

} // namespace ringmaster::app
