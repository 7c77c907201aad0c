#include "app/jobs/TimelineView.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/widget/AccessibleRole.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

namespace ringmaster::app {

namespace {

constexpr int LowestLane = 19;
constexpr int HighestLane = 25;
constexpr int AxisHeight = 20;
constexpr std::int64_t ShortestWindow = 1'000'000;

} // namespace

TimelineView::TimelineView(const RunModel& run, QWidget* parent)
    : QAbstractScrollArea(parent), m_run(run)
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
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(),
            [this] { viewport()->update(); });
}

void TimelineView::setSelectedRank(int globalRank)
{
    m_selectedRank = globalRank;
    viewport()->update();
}

std::int64_t TimelineView::runEnd() const
{
    const RunHistory& history = m_run.history();
    if (history.ended() || m_run.isComplete())
        return history.end().monotonicNs;
    const std::int64_t wallNow = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    return std::max(history.end().monotonicNs,
                    history.begin().monotonicNs + wallNow - history.begin().wallNs);
}

TimelineView::Window TimelineView::window() const
{
    if (!m_showsAll)
        return m_window;
    const std::int64_t begin = m_run.history().begin().monotonicNs;
    const std::int64_t length = std::max<std::int64_t>(runEnd() - begin, ShortestWindow);
    return {begin, begin + length + length / 50};
}

void TimelineView::setWindow(Window window)
{
    const std::int64_t begin = m_run.history().begin().monotonicNs;
    const std::int64_t length = std::max(window.to - window.from, ShortestWindow);
    const bool all = length >= runEnd() - begin;
    window.from = std::clamp(window.from, begin, std::max(begin, runEnd() - length));
    m_window = {window.from, window.from + length};
    if (std::exchange(m_showsAll, all) != all)
        Q_EMIT showsAllChanged(all);
    viewport()->update();
}

void TimelineView::zoom(double factor, double atFraction)
{
    const Window shown = window();
    const auto length = static_cast<double>(shown.to - shown.from);
    const double wanted = std::max(length / factor, static_cast<double>(ShortestWindow));
    const double from = static_cast<double>(shown.from) + (length - wanted) * atFraction;
    setWindow({static_cast<std::int64_t>(from), static_cast<std::int64_t>(from + wanted)});
}

void TimelineView::pan(double fraction)
{
    const Window shown = window();
    const auto by =
        static_cast<std::int64_t>(fraction * static_cast<double>(shown.to - shown.from));
    if (!m_showsAll)
        setWindow({shown.from + by, shown.to + by});
}

void TimelineView::showAll()
{
    if (!std::exchange(m_showsAll, true))
        Q_EMIT showsAllChanged(true);
    viewport()->update();
}

QRect TimelineView::plotRect() const
{
    const int labels =
        fontMetrics().horizontalAdvance(rankText(std::max(10, m_run.history().laneCount()))) + 12;
    return viewport()->rect().adjusted(labels, MarkHeight, -10, -AxisHeight);
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

double TimelineView::xOf(std::int64_t monotonicNs, const QRect& plot, const Window& window) const
{
    return plot.left() + static_cast<double>(plot.width()) *
                             static_cast<double>(monotonicNs - window.from) /
                             static_cast<double>(window.to - window.from);
}

int TimelineView::rankAt(int y) const
{
    const QRect plot = plotRect();
    if (y < plot.top() || y > plot.bottom())
        return -1;
    const int rank = (y - plot.top() + verticalScrollBar()->value()) / laneHeight();
    return rank < m_run.history().laneCount() ? rank : -1;
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const QRect plot = plotRect();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double at =
            std::clamp((event->position().x() - plot.left()) / plot.width(), 0.0, 1.0);
        zoom(event->angleDelta().y() > 0 ? 1.25 : 0.8, at);
        event->accept();
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().x() != 0) {
        pan(event->angleDelta().x() + event->angleDelta().y() > 0 ? -0.1 : 0.1);
        event->accept();
    } else {
        QAbstractScrollArea::wheelEvent(event);
    }
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_dragFrom = event->pos();
    if (event->button() == Qt::LeftButton)
        Q_EMIT rankChosen(rankAt(event->pos().y()));
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const QRect plot = plotRect();
    if (!event->buttons().testFlag(Qt::LeftButton) || plot.width() <= 0)
        return;
    pan(static_cast<double>(m_dragFrom.x() - event->pos().x()) / plot.width());
    m_dragFrom = event->pos();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const int lanes = m_run.history().laneCount();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(1.25); break;
    case Qt::Key_Minus: zoom(0.8); break;
    case Qt::Key_0: showAll(); break;
    case Qt::Key_Left: pan(-0.1); break;
    case Qt::Key_Right: pan(0.1); break;
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

QString TimelineView::toolTipAt(const QPoint& point) const
{
    const QRect plot = plotRect();
    const Window shown = window();
    for (const RestartMark& mark : m_run.history().restarts()) {
        if (std::abs(xOf(mark.at.monotonicNs, plot, shown) - point.x()) < 4)
            return tr("Restart at %1: %2")
                .arg(clockText(mark.at.monotonicNs - m_run.history().begin().monotonicNs),
                     text(mark.cause));
    }
    const int rank = rankAt(point.y());
    for (const RunHistory::SpanId id : m_run.history().lane(rank)) {
        const StateSpan* span = m_run.history().span(id);
        if (span == nullptr)
            continue;
        const std::int64_t end = span->isOpen ? runEnd() : span->to.monotonicNs;
        if (point.x() < xOf(span->from.monotonicNs, plot, shown) ||
            point.x() > xOf(end, plot, shown))
            continue;
        return tr("%1, attempt %2: %3 for %4")
            .arg(rankText(rank))
            .arg(span->attempt + 1)
            .arg(word(span->state), durationText(end - span->from.monotonicNs));
    }
    return {};
}

} // namespace ringmaster::app
