#include "app/jobs/TimelineGeometry.h"

#include "app/bridge/Words.h"

#include <QAbstractScrollArea>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

constexpr int TightLane = 13;  ///< Where all lanes, or most, are in sight then, …
constexpr int LowestLane = 19; ///< … else this, and they are scrolled.
constexpr int UsualLane = 22;
constexpr int HighestLane = 25;
constexpr int AxisHeight = 20;
constexpr int StartHeight = 19;
constexpr int HostHeight = 17;
constexpr int TightHost = 14; ///< Where all lanes are in sight then.
constexpr int MostHosts = 8;

} // namespace

TimelineGeometry::TimelineGeometry(const RunModel& run, const TimeSpan& span,
                                   const QAbstractScrollArea& view)
    : m_history(run.history())
    , m_span(span)
    , m_shown(span.shown())
    , m_width(view.viewport()->width())
    , m_scrolled(view.verticalScrollBar()->value())
{
    const int labels =
        view.fontMetrics().horizontalAdvance(rankText(std::max(10, m_history.laneCount()))) + 12;
    const int starts = m_history.starts().empty() ? 0 : StartHeight;
    const int lanes = std::max(1, m_history.laneCount());
    const int room = view.viewport()->height() - MarkHeight - starts - AxisHeight;
    const auto fits = [&](int host) { return shownHosts() * host + lanes * TightLane <= room; };
    m_hostHeight = !fits(HostHeight) && fits(TightHost) ? TightHost : HostHeight;
    m_plot = view.viewport()->rect().adjusted(
        labels, MarkHeight + starts + shownHosts() * m_hostHeight, -10, -AxisHeight);
    // Few ranks get more room, so that their bars can be told apart from afar.
    const int share = m_plot.height() / lanes;
    m_laneHeight = std::clamp(share, 2 * share >= TightLane ? TightLane : LowestLane, HighestLane);
}

QRect TimelineGeometry::lane(int rank) const
{
    return {0, m_plot.top() + rank * m_laneHeight - m_scrolled, m_width, m_laneHeight};
}

QRect TimelineGeometry::startRow() const
{
    if (m_history.starts().empty())
        return {};
    return {m_plot.left(), m_plot.top() - StartHeight - shownHosts() * m_hostHeight, m_plot.width(),
            StartHeight - 4};
}

int TimelineGeometry::shownHosts() const
{
    return std::min(static_cast<int>(m_history.hostLanes().size()), MostHosts);
}

QRect TimelineGeometry::hostRow(int host) const
{
    return {m_plot.left(), m_plot.top() - (shownHosts() - host) * m_hostHeight, m_plot.width(),
            m_hostHeight};
}

int TimelineGeometry::heightOf(int lanes) const
{
    const int starts = m_history.starts().empty() ? 0 : StartHeight;
    return MarkHeight + starts + shownHosts() * HostHeight + lanes * UsualLane + AxisHeight;
}

double TimelineGeometry::xOf(std::int64_t monotonicNs) const
{
    return m_plot.left() + static_cast<double>(m_plot.width()) *
                               static_cast<double>(monotonicNs - m_shown.from) /
                               static_cast<double>(m_shown.length());
}

std::int64_t TimelineGeometry::endOf(const StateSpan& span) const
{
    return span.isOpen ? m_span.end() : span.to.monotonicNs;
}

int TimelineGeometry::rankAt(int y) const
{
    if (y < m_plot.top() || y > m_plot.bottom())
        return -1;
    const int rank = (y - m_plot.top() + m_scrolled) / m_laneHeight;
    return rank < m_history.laneCount() ? rank : -1;
}

int TimelineGeometry::hostAt(int y) const
{
    const int top = hostRow(0).top();
    return y < top || y >= m_plot.top() ? -1 : (y - top) / m_hostHeight;
}

/// Also a little beside it: a fraction of a second is no wider than a hair.
const StartMark* TimelineGeometry::startAt(const QPoint& point) const
{
    constexpr double Near = 5;
    if (!startRow().contains(point))
        return nullptr;
    const StartMark* found = nullptr;
    for (const StartMark& mark : m_history.starts()) {
        if (point.x() >= xOf(mark.from.monotonicNs) - Near &&
            point.x() <= xOf(mark.to.monotonicNs) + Near)
            found = &mark;
    }
    return found;
}

const RestartMark* TimelineGeometry::restartAt(int x) const
{
    constexpr double Near = 4;
    for (const RestartMark& mark : m_history.restarts()) {
        if (std::abs(xOf(mark.at.monotonicNs) - x) < Near)
            return &mark;
    }
    return nullptr;
}

const StateSpan* TimelineGeometry::spanAt(const std::deque<RunHistory::SpanId>& lane, int x) const
{
    for (const RunHistory::SpanId id : lane) {
        const StateSpan* span = m_history.span(id);
        if (span != nullptr && x >= xOf(span->from.monotonicNs) && x <= xOf(endOf(*span)))
            return span;
    }
    return nullptr;
}

} // namespace ringmaster::app
