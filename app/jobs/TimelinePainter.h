#pragma once

#include "app/jobs/TimelineGeometry.h"

#include <QCoreApplication>

class QPainter;

namespace ringmaster::app {

/// Draws a timeline. Lives as long as one drawing.
class TimelinePainter
{
    Q_DECLARE_TR_FUNCTIONS(TimelinePainter)

public:
    TimelinePainter(QPainter& painter, const RunModel& run, const TimeSpan& span,
                    const TimelineGeometry& geometry);

    void paint(int selectedRank);

private:
    void paintLane(int rank, bool isSelected);
    void paintSpan(const StateSpan& span, const QRectF& bar);
    void paintFailure(const QPointF& center);
    void paintRestarts();
    void paintStarts();
    void paintPhases(const StartMark& mark, const QRect& row);
    void paintHosts();
    void paintAxis();

    QPainter& m_painter;
    const RunHistory& m_history;
    const TimeSpan& m_span;
    const TimelineGeometry& m_geometry;
    QRect m_plot;
    TimeSpan::Range m_shown;
};

} // namespace ringmaster::app
