#include "app/bridge/Words.h"
#include "app/jobs/TimeAxis.h"
#include "app/jobs/TimelineView.h"
#include "app/model/PhaseWords.h"
#include "app/widget/StateLook.h"

#include <QPainter>
#include <QScrollBar>

namespace ringmaster::app {

namespace {

constexpr double GlyphSize = 9;

} // namespace

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
    paintStarts(painter, plot);
    paintHosts(painter, plot);
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
    const TimeSpan::Range shown = m_span.shown();
    double painted = -1;
    std::vector<double> failures;
    for (const RunHistory::SpanId id : m_run.history().lane(rank)) {
        const StateSpan* span = m_run.history().span(id);
        if (span == nullptr)
            continue;
        const std::int64_t end = endOf(*span);
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
    const TimeSpan::Range shown = m_span.shown();
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

/// The words stand in the phases where there is room, and else the sum beside them.
void TimelineView::paintStarts(QPainter& painter, const QRect& plot)
{
    const QRect row = startRect(plot);
    const TimeSpan::Range shown = m_span.shown();
    const auto& starts = m_run.history().starts();
    double labelEnd = plot.left();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const StartMark& mark = starts[i];
        if (mark.to.monotonicNs < shown.from || mark.from.monotonicNs > shown.to)
            continue;
        paintPhases(painter, mark, row);
        const double left = xOf(mark.to.monotonicNs, plot, shown) + 6;
        const double right = i + 1 < starts.size()
                                 ? xOf(starts[i + 1].from.monotonicNs, plot, shown) - 6
                                 : plot.right();
        const QString label = summary(mark);
        const double width = painter.fontMetrics().horizontalAdvance(label);
        if (left < labelEnd || left + width > std::min<double>(right, plot.right()))
            continue;
        labelEnd = left + width;
        painter.setPen(themeTokens().mutedText);
        painter.drawText(QRectF(left, row.top(), width + 1, row.height()), Qt::AlignVCenter, label);
    }
}

void TimelineView::paintPhases(QPainter& painter, const StartMark& mark, const QRect& row)
{
    const Tokens& tokens = themeTokens();
    const TimeSpan::Range shown = m_span.shown();
    for (auto id = mark.firstSpan; id < mark.endSpan; ++id) {
        const StateSpan* span = m_run.history().span(id);
        if (span == nullptr || !span->phase)
            continue;
        const double left = std::max<double>(row.left(), xOf(span->from.monotonicNs, row, shown));
        const double right = std::min<double>(row.right(), xOf(span->to.monotonicNs, row, shown));
        if (right <= left)
            continue;
        const QRectF bar(left, row.top(), std::max(1.0, right - left - 1), row.height());
        const bool isOdd = static_cast<int>(*span->phase) % 2 == 1;
        painter.fillRect(bar, withAlpha(tokens.accent, isOdd ? 0.38 : 0.2));
        painter.fillRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2), tokens.accent);
        const QString label = word(*span->phase);
        if (painter.fontMetrics().horizontalAdvance(label) + 6 > bar.width())
            continue;
        painter.setPen(tokens.text);
        painter.drawText(bar.adjusted(0, 0, 0, -2), Qt::AlignCenter, label);
    }
}

/// What is usual is faint: a host that was cut off or is gone stands out.
void TimelineView::paintHosts(QPainter& painter, const QRect& plot)
{
    const TimeSpan::Range shown = m_span.shown();
    for (int row = 0; row < shownHosts(); ++row) {
        const HostLane& lane = m_run.history().hostLanes()[static_cast<size_t>(row)];
        const QRect place = hostRect(row, plot);
        const QRect label(0, place.top(), plot.left() - 8, place.height());
        painter.setPen(themeTokens().mutedText);
        painter.drawText(label, Qt::AlignVCenter | Qt::AlignRight,
                         painter.fontMetrics().elidedText(QString::fromStdString(lane.host),
                                                          Qt::ElideMiddle, label.width()));
        for (const RunHistory::SpanId id : lane.spans) {
            const StateSpan* span = m_run.history().span(id);
            if (span == nullptr)
                continue;
            const std::int64_t end = endOf(*span);
            const double left =
                std::max<double>(plot.left(), xOf(span->from.monotonicNs, plot, shown));
            const double right = std::min<double>(plot.right(), xOf(end, plot, shown));
            if (right <= left)
                continue;
            const StateLook look = lookOf(span->hostState, themeTokens());
            const bool isUsual = span->hostState == HostChanged::State::Connected;
            const QRectF bar(left, place.top() + 4, std::max(1.5, right - left - 0.5),
                             place.height() - 8);
            painter.fillRect(bar, withAlpha(look.color.fill, isUsual ? 0.25 : 0.75));
            if (bar.width() >= GlyphSize + 2)
                paintGlyph(painter,
                           {left + 1, bar.center().y() - GlyphSize / 2, GlyphSize, GlyphSize},
                           look.shape, look.color.fill);
        }
    }
}

void TimelineView::paintAxis(QPainter& painter, const QRect& plot)
{
    const Tokens& tokens = themeTokens();
    const TimeSpan::Range shown = m_span.shown();
    for (const TimeTick& tick :
         timeTicks(shown.from, shown.to, m_span.begin(), plot.width() / 90)) {
        const double x = xOf(tick.at, plot, shown);
        painter.setPen(tokens.grid);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(tokens.mutedText);
        const double half = painter.fontMetrics().horizontalAdvance(tick.label) / 2.0;
        if (x + half <= viewport()->width())
            painter.drawText(QPointF(x - half, plot.bottom() + 15), tick.label);
    }
}

} // namespace ringmaster::app
