#pragma once

#include "app/model/RunModel.h"
#include "app/model/TimeSpan.h"

#include <QRect>

class QAbstractScrollArea;

namespace ringmaster::app {

/// Where everything of a timeline is: from the top down the restarts' labels, the ways to the first
/// collective, the hosts, a lane a rank, and the axis. Is right as long as neither the view nor the
/// run changes.
class TimelineGeometry
{
public:
    static constexpr int LaneGap = 7;
    static constexpr int MarkHeight = 16; ///< Room above all else for the restarts' labels.

    TimelineGeometry(const RunModel& run, const TimeSpan& span, const QAbstractScrollArea& view);

    QRect plot() const { return m_plot; }
    /// What of the time is between the plot's edges.
    const TimeSpan::Range& shown() const { return m_shown; }
    int laneHeight() const { return m_laneHeight; }
    /// In all of the view's width; may be above or below the plot.
    QRect lane(int rank) const;
    /// Of the ways to the first collective; empty: none is known.
    QRect startRow() const;
    QRect hostRow(int host) const;
    /// The table has all.
    int shownHosts() const;
    /// All of it with so many lanes, with room to breathe.
    int heightOf(int lanes) const;
    double xOf(std::int64_t monotonicNs) const;
    /// Where a span that is still open ends, too.
    std::int64_t endOf(const StateSpan& span) const;

    /// -1: none.
    int rankAt(int y) const;
    /// -1: none.
    int hostAt(int y) const;
    const StartMark* startAt(const QPoint& point) const;
    const RestartMark* restartAt(int x) const;
    /// Of a lane: what lies at this place across.
    const StateSpan* spanAt(const std::deque<RunHistory::SpanId>& lane, int x) const;

private:
    const RunHistory& m_history;
    const TimeSpan& m_span;
    TimeSpan::Range m_shown;
    QRect m_plot;
    int m_width;
    int m_scrolled;
    int m_laneHeight = 0;
    int m_hostHeight = 0;
};

} // namespace ringmaster::app
