#include "app/jobs/TimelineView.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/widget/StateLook.h"

#include <QDateTime>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

namespace ringmaster::app {

namespace {

constexpr int LowestLane = 19;
constexpr int HighestLane = 25;
constexpr int LaneGap = 7;
constexpr double GlyphSize = 9;
constexpr int AxisHeight = 20;
constexpr int MarkHeight = 16; ///< room above the lanes for the restarts' labels
constexpr std::int64_t ShortestWindow = 1'000'000;

/// 1, 2 or 5 times a power of ten; above a minute what clocks have.
std::int64_t niceStep(std::int64_t ns)
{
    constexpr std::int64_t Second = 1'000'000'000;
    for (const std::int64_t seconds : {60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400}) {
        if (ns > 30 * Second && ns <= seconds * Second)
            return seconds * Second;
    }
    std::int64_t step = 1;
    while (true) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (step * factor >= ns)
                return step * factor;
        }
        step *= 10;
    }
}

} // namespace

TimelineView::TimelineView(const RunModel& run, QWidget* parent)
    : QAbstractScrollArea(parent), m_run(run)
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
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

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small = font();
    small.setPixelSize(11);
    painter.setFont(small);
    const QRect plot = plotRect();
    if (plot.width() < 20 || plot.height() < laneHeight())
        return;
    paintAxis(painter, plot);
    painter.save();
    painter.setClipRect(QRect(0, plot.top(), viewport()->width(), plot.height()));
    const int offset = verticalScrollBar()->value();
    const int lanes = m_run.history().laneCount();
    for (int rank = offset / laneHeight(); rank < lanes; ++rank) {
        const int top = plot.top() + rank * laneHeight() - offset;
        if (top > plot.bottom())
            break;
        paintLane(painter, rank, {0, top, viewport()->width(), laneHeight()}, plot);
    }
    painter.restore();
    paintRestarts(painter, plot);
    if (hasFocus()) {
        painter.setPen(themeTokens().accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(.5, .5, -.5, -.5), 5, 5);
    }
}

void TimelineView::paintLane(QPainter& painter, int rank, const QRect& lane, const QRect& plot)
{
    const Tokens& tokens = themeTokens();
    if (rank == m_selectedRank)
        painter.fillRect(lane, tokens.selection);
    painter.setPen(rank == m_selectedRank ? tokens.text : tokens.mutedText);
    painter.drawText(QRect(lane.left(), lane.top(), plot.left() - 8, lane.height()),
                     Qt::AlignVCenter | Qt::AlignRight, rankText(rank));
    const Window shown = window();
    const std::int64_t now = runEnd();
    double painted = -1;
    std::vector<double> failures;
    for (const RunHistory::SpanId id : m_run.history().lane(rank)) {
        const StateSpan* span = m_run.history().span(id);
        if (span == nullptr)
            continue;
        const std::int64_t end = span->isOpen ? now : span->to.monotonicNs;
        if (end < shown.from || span->from.monotonicNs > shown.to)
            continue;
        const double left = std::max<double>(plot.left(), xOf(span->from.monotonicNs, plot, shown));
        const double right = std::min<double>(plot.right(), xOf(end, plot, shown));
        if (span->state == WorkerState::Failed)
            failures.push_back(left);
        // Thinned to the pixel: what would fall on the same one is left out.
        if (right - painted < 0.75)
            continue;
        painted = right;
        paintSpan(painter, *span,
                  {left, lane.top() + LaneGap / 2.0, std::max(1.0, right - left - 0.5),
                   double(lane.height() - LaneGap)});
    }
    // Last, so that a failure is seen however soon the next attempt began.
    for (const double x : failures)
        paintFailure(painter, {x, lane.center().y() + 0.5});
}

void TimelineView::paintSpan(QPainter& painter, const StateSpan& span, const QRectF& bar)
{
    const StateLook look = lookOf(span.state, themeTokens());
    painter.setPen(Qt::NoPen);
    const bool isOver = span.state >= WorkerState::Stopped;
    painter.setBrush(isOver ? withAlpha(look.color.fill, 0.28) : look.color.fill);
    if (bar.width() < 4)
        painter.fillRect(bar, look.color.fill);
    else
        painter.drawRoundedRect(bar, 2.5, 2.5);
    if (isOver && bar.width() >= GlyphSize)
        paintGlyph(painter,
                   {bar.left() + 1, bar.center().y() - GlyphSize / 2, GlyphSize, GlyphSize},
                   look.shape, look.color.fill);
}

void TimelineView::paintFailure(QPainter& painter, const QPointF& center)
{
    const StateLook look = lookOf(WorkerState::Failed, themeTokens());
    painter.setPen(Qt::NoPen);
    painter.setBrush(themeTokens().card);
    painter.drawEllipse(center, GlyphSize * 0.75, GlyphSize * 0.75);
    const QPointF half(GlyphSize / 2, GlyphSize / 2);
    paintGlyph(painter, QRectF(center - half, center + half), look.shape, look.color.fill);
}

void TimelineView::paintRestarts(QPainter& painter, const QRect& plot)
{
    const Tokens& tokens = themeTokens();
    const Window shown = window();
    double labelEnd = 0;
    for (const RestartMark& mark : m_run.history().restarts()) {
        if (mark.at.monotonicNs < shown.from || mark.at.monotonicNs > shown.to)
            continue;
        const double x = xOf(mark.at.monotonicNs, plot, shown);
        const Tokens::State& color = mark.isCharged() ? tokens.failed : tokens.restarted;
        painter.setPen(QPen(color.fill, 1.3, Qt::DashLine));
        painter.drawLine(QPointF(x, plot.top() - 2), QPointF(x, plot.bottom()));
        const QString label =
            mark.isCharged() ? tr("%n left", "restarts", mark.budgetAfter) : tr("not charged");
        const double width = painter.fontMetrics().horizontalAdvance(label) + 14;
        const double left = std::clamp<double>(x - 5, plot.left(), plot.right() - width);
        if (left < labelEnd)
            continue;
        labelEnd = left + width + 4;
        paintGlyph(painter, {left, 2, 10, 10}, Glyph::Arrow, color.fill);
        painter.setPen(color.text);
        painter.drawText(QRectF(left + 14, 0, width, MarkHeight - 2), Qt::AlignVCenter, label);
    }
}

void TimelineView::paintAxis(QPainter& painter, const QRect& plot)
{
    const Tokens& tokens = themeTokens();
    const Window shown = window();
    const std::int64_t begin = m_run.history().begin().monotonicNs;
    const int ticks = std::max(2, plot.width() / 90);
    const std::int64_t step = niceStep((shown.to - shown.from) / ticks + 1);
    constexpr std::int64_t Second = 1'000'000'000;
    for (std::int64_t at = (shown.from - begin) / step * step; at <= shown.to - begin; at += step) {
        const double x = xOf(begin + at, plot, shown);
        if (x < plot.left() - 1)
            continue;
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(tokens.mutedText);
        const QString label = step < Second ? durationText(at) : clockText(at);
        const double half = painter.fontMetrics().horizontalAdvance(label) / 2.0;
        if (x + half <= viewport()->width())
            painter.drawText(QPointF(x - half, plot.bottom() + 15), label);
    }
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
