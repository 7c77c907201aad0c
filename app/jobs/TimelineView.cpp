#include "app/jobs/TimelineView.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/jobs/TimeGestures.h"
#include "app/model/PhaseWords.h"
#include "app/widget/AccessibleRole.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>

namespace ringmaster::app {

namespace {

constexpr int LowestLane = 19;
constexpr int HighestLane = 25;
constexpr int AxisHeight = 20;

} // namespace

TimelineView::TimelineView(const RunModel& run, TimeSpan& span, QWidget* parent)
    : QAbstractScrollArea(parent), m_run(run), m_span(span)
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setAccessibleRole(this, QAccessible::Chart);
    connect(&run, &RunModel::historyChanged, this, [this] {
        updateScrollBar();
        viewport()->update();
    });
    const auto repaint = [this] { viewport()->update(); };
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), repaint);
    connect(&span, &TimeSpan::changed, viewport(), repaint);
    auto* gestures = new TimeGestures(span, viewport(), this, [this] { return plotRect(); });
    connect(gestures, &TimeGestures::clicked, this,
            [this](const QPoint& point) { Q_EMIT rankChosen(rankAt(point.y())); });
}

void TimelineView::setSelectedRank(int globalRank)
{
    m_selectedRank = globalRank;
    viewport()->update();
}

QRect TimelineView::plotRect() const
{
    const int labels =
        fontMetrics().horizontalAdvance(rankText(std::max(10, m_run.history().laneCount()))) + 12;
    const int starts = m_run.history().starts().empty() ? 0 : StartHeight;
    return viewport()->rect().adjusted(labels, MarkHeight + starts + shownHosts() * HostHeight, -10,
                                       -AxisHeight);
}

QRect TimelineView::startRect(const QRect& plot) const
{
    if (m_run.history().starts().empty())
        return {};
    return {plot.left(), plot.top() - StartHeight - shownHosts() * HostHeight, plot.width(),
            StartHeight - 4};
}

int TimelineView::shownHosts() const
{
    return std::min(static_cast<int>(m_run.history().hostLanes().size()), MostHosts);
}

QRect TimelineView::hostRect(int host, const QRect& plot) const
{
    return {plot.left(), plot.top() - (shownHosts() - host) * HostHeight, plot.width(), HostHeight};
}

/// Few ranks get more room, so that their bars can be told apart from afar.
int TimelineView::laneHeight() const
{
    const int lanes = std::max(1, m_run.history().laneCount());
    return std::clamp(plotRect().height() / lanes, LowestLane, HighestLane);
}

void TimelineView::updateScrollBar()
{
    const int wanted = m_run.history().laneCount() * laneHeight();
    const int room = plotRect().height();
    verticalScrollBar()->setRange(0, std::max(0, wanted - room));
    verticalScrollBar()->setPageStep(room);
    verticalScrollBar()->setSingleStep(laneHeight());
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

double TimelineView::xOf(std::int64_t monotonicNs, const QRect& plot,
                         const TimeSpan::Range& shown) const
{
    return plot.left() + static_cast<double>(plot.width()) *
                             static_cast<double>(monotonicNs - shown.from) /
                             static_cast<double>(shown.length());
}

int TimelineView::rankAt(int y) const
{
    const QRect plot = plotRect();
    if (y < plot.top() || y > plot.bottom())
        return -1;
    const int rank = (y - plot.top() + verticalScrollBar()->value()) / laneHeight();
    return rank < m_run.history().laneCount() ? rank : -1;
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const int lanes = m_run.history().laneCount();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int by = event->key() == Qt::Key_Up ? -1 : 1;
        if (lanes > 0)
            Q_EMIT rankChosen(std::clamp(m_selectedRank + by, 0, lanes - 1));
        break;
    }
    default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    event->accept();
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
    return true;
}

/// Also a little beside it: a fraction of a second is no wider than a hair.
const StartMark* TimelineView::startAt(const QPoint& point, const QRect& plot) const
{
    constexpr double Near = 5;
    const TimeSpan::Range shown = m_span.shown();
    if (!startRect(plot).contains(point))
        return nullptr;
    const StartMark* found = nullptr;
    for (const StartMark& mark : m_run.history().starts()) {
        if (point.x() >= xOf(mark.from.monotonicNs, plot, shown) - Near &&
            point.x() <= xOf(mark.to.monotonicNs, plot, shown) + Near)
            found = &mark;
    }
    return found;
}

/// Of a lane: what lies at this place across.
const StateSpan* TimelineView::spanAt(const std::deque<RunHistory::SpanId>& lane, int x,
                                      const QRect& plot) const
{
    const TimeSpan::Range shown = m_span.shown();
    for (const RunHistory::SpanId id : lane) {
        const StateSpan* span = m_run.history().span(id);
        if (span != nullptr && x >= xOf(span->from.monotonicNs, plot, shown) &&
            x <= xOf(endOf(*span), plot, shown))
            return span;
    }
    return nullptr;
}

std::int64_t TimelineView::endOf(const StateSpan& span) const
{
    return span.isOpen ? m_span.end() : span.to.monotonicNs;
}

QString TimelineView::hostToolTipAt(const QPoint& point, const QRect& plot) const
{
    const int row = (point.y() - hostRect(0, plot).top()) / HostHeight;
    if (row < 0 || row >= shownHosts())
        return {};
    const HostLane& lane = m_run.history().hostLanes()[static_cast<size_t>(row)];
    if (const StateSpan* span = spanAt(lane.spans, point.x(), plot)) {
        const QString said = tr("%1: %2 for %3")
                                 .arg(QString::fromStdString(span->host), word(span->hostState),
                                      durationText(endOf(*span) - span->from.monotonicNs));
        return span->reason.code == Code{} ? said : said + u'\n' + text(span->reason);
    }
    return QString::fromStdString(lane.host);
}

QString TimelineView::toolTipAt(const QPoint& point) const
{
    const QRect plot = plotRect();
    const TimeSpan::Range shown = m_span.shown();
    if (const StartMark* mark = startAt(point, plot))
        return details(*mark, m_run.history());
    if (point.y() < plot.top() && point.y() >= hostRect(0, plot).top())
        return hostToolTipAt(point, plot);
    for (const RestartMark& mark : m_run.history().restarts()) {
        if (std::abs(xOf(mark.at.monotonicNs, plot, shown) - point.x()) < 4)
            return tr("Restart at %1: %2")
                .arg(clockText(mark.at.monotonicNs - m_run.history().begin().monotonicNs),
                     text(mark.cause));
    }
    const int rank = rankAt(point.y());
    if (const StateSpan* span = spanAt(m_run.history().lane(rank), point.x(), plot))
        return tr("%1, attempt %2: %3 for %4")
            .arg(rankText(rank))
            .arg(span->attempt + 1)
            .arg(word(span->state), durationText(endOf(*span) - span->from.monotonicNs));
    return {};
}

} // namespace ringmaster::app
