#include "app/jobs/TimelinePainter.h"

#include "app/bridge/Words.h"
#include "app/jobs/TimeAxis.h"
#include "app/model/PhaseWords.h"
#include "app/widget/StateLook.h"

#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr double GlyphSize = 9;

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const RunModel& run, const TimeSpan& span,
                                 const TimelineGeometry& geometry)
    : m_painter(painter)
    , m_history(run.history())
    , m_span(span)
    , m_geometry(geometry)
    , m_plot(geometry.plot())
    , m_shown(geometry.shown())
{
}

void TimelinePainter::paint(int selectedRank)
{
    paintAxis();
    m_painter.save();
    m_painter.setClipRect(QRect(0, m_plot.top(), m_geometry.lane(0).width(), m_plot.height()));
    for (int rank = std::max(0, m_geometry.rankAt(m_plot.top())); rank < m_history.laneCount();
         ++rank) {
        if (m_geometry.lane(rank).top() > m_plot.bottom())
            break;
        paintLane(rank, rank == selectedRank);
    }
    m_painter.restore();
    paintRestarts();
    paintStarts();
    paintHosts();
}

void TimelinePainter::paintLane(int rank, bool isSelected)
{
    const QRect lane = m_geometry.lane(rank);
    const Tokens& tokens = themeTokens();
    if (isSelected)
        m_painter.fillRect(lane, tokens.selection);
    m_painter.setPen(isSelected ? tokens.text : tokens.mutedText);
    m_painter.drawText(QRect(lane.left(), lane.top(), m_plot.left() - 8, lane.height()),
                       Qt::AlignVCenter | Qt::AlignRight, rankText(rank));
    double painted = -1;
    std::vector<double> failures;
    for (const RunHistory::SpanId id : m_history.lane(rank)) {
        const StateSpan* span = m_history.span(id);
        if (span == nullptr)
            continue;
        const std::int64_t end = m_geometry.endOf(*span);
        if (end < m_shown.from || span->from.monotonicNs > m_shown.to)
            continue;
        const double left = std::max<double>(m_plot.left(), m_geometry.xOf(span->from.monotonicNs));
        const double right = std::min<double>(m_plot.right(), m_geometry.xOf(end));
        if (span->health == Health::Failed)
            failures.push_back(left);
        // Thinned to the pixel: what would fall on the same one is left out.
        if (right - painted < 0.75)
            continue;
        painted = right;
        paintSpan(*span, {left, lane.top() + TimelineGeometry::LaneGap / 2.0,
                          std::max(1.0, right - left - 0.5),
                          double(lane.height() - TimelineGeometry::LaneGap)});
    }
    // Last, so that a failure is seen however soon the next attempt began.
    for (const double x : failures)
        paintFailure({x, lane.center().y() + 0.5});
}

void TimelinePainter::paintSpan(const StateSpan& span, const QRectF& bar)
{
    const StateLook look = lookOf(span.health, themeTokens());
    m_painter.setPen(Qt::NoPen);
    const bool isEnded = isOver(span.health);
    m_painter.setBrush(isEnded ? withAlpha(look.color.fill, 0.28) : look.color.fill);
    if (bar.width() < 4)
        m_painter.fillRect(bar, look.color.fill);
    else
        m_painter.drawRoundedRect(bar, 2.5, 2.5);
    if (isEnded && bar.width() >= GlyphSize)
        paintGlyph(m_painter,
                   {bar.left() + 1, bar.center().y() - GlyphSize / 2, GlyphSize, GlyphSize},
                   look.shape, look.color.fill);
}

void TimelinePainter::paintFailure(const QPointF& center)
{
    const StateLook look = lookOf(Health::Failed, themeTokens());
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(themeTokens().card);
    m_painter.drawEllipse(center, GlyphSize * 0.75, GlyphSize * 0.75);
    const QPointF half(GlyphSize / 2, GlyphSize / 2);
    paintGlyph(m_painter, QRectF(center - half, center + half), look.shape, look.color.fill);
}

void TimelinePainter::paintRestarts()
{
    const Tokens& tokens = themeTokens();
    double labelEnd = 0;
    for (const RestartMark& mark : m_history.restarts()) {
        if (mark.at.monotonicNs < m_shown.from || mark.at.monotonicNs > m_shown.to)
            continue;
        const double x = m_geometry.xOf(mark.at.monotonicNs);
        const Tokens::State& color = mark.isCharged() ? tokens.failed : tokens.restarted;
        m_painter.setPen(QPen(color.fill, 1.3, Qt::DashLine));
        m_painter.drawLine(QPointF(x, m_plot.top() - 2), QPointF(x, m_plot.bottom()));
        const QString label =
            mark.isCharged() ? tr("%n left", "restarts", mark.budgetAfter) : tr("not charged");
        const double width = m_painter.fontMetrics().horizontalAdvance(label) + 14;
        const double left = std::clamp<double>(x - 5, m_plot.left(), m_plot.right() - width);
        if (left < labelEnd)
            continue;
        labelEnd = left + width + 4;
        paintGlyph(m_painter, {left, 2, 10, 10}, Glyph::Arrow, color.fill);
        m_painter.setPen(color.text);
        m_painter.drawText(QRectF(left + 14, 0, width, TimelineGeometry::MarkHeight - 2),
                           Qt::AlignVCenter, label);
    }
}

/// The words stand in the phases where there is room, and else the sum beside them.
void TimelinePainter::paintStarts()
{
    const QRect row = m_geometry.startRow();
    const auto& starts = m_history.starts();
    double labelEnd = m_plot.left();
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const StartMark& mark = starts[i];
        if (mark.to.monotonicNs < m_shown.from || mark.from.monotonicNs > m_shown.to)
            continue;
        paintPhases(mark, row);
        const double left = m_geometry.xOf(mark.to.monotonicNs) + 6;
        const double right = i + 1 < starts.size()
                                 ? m_geometry.xOf(starts[i + 1].from.monotonicNs) - 6
                                 : m_plot.right();
        const QString label = summary(mark);
        const double width = m_painter.fontMetrics().horizontalAdvance(label);
        if (left < labelEnd || left + width > std::min<double>(right, m_plot.right()))
            continue;
        labelEnd = left + width;
        m_painter.setPen(themeTokens().mutedText);
        m_painter.drawText(QRectF(left, row.top(), width + 1, row.height()), Qt::AlignVCenter,
                           label);
    }
}

void TimelinePainter::paintPhases(const StartMark& mark, const QRect& row)
{
    const Tokens& tokens = themeTokens();
    for (auto id = mark.firstSpan; id < mark.endSpan; ++id) {
        const StateSpan* span = m_history.span(id);
        if (span == nullptr || !span->phase)
            continue;
        const double left = std::max<double>(row.left(), m_geometry.xOf(span->from.monotonicNs));
        const double right = std::min<double>(row.right(), m_geometry.xOf(span->to.monotonicNs));
        if (right <= left)
            continue;
        const QRectF bar(left, row.top(), std::max(1.0, right - left - 1), row.height());
        const bool isOdd = static_cast<int>(*span->phase) % 2 == 1;
        m_painter.fillRect(bar, withAlpha(tokens.accent, isOdd ? 0.38 : 0.2));
        m_painter.fillRect(QRectF(bar.left(), bar.bottom() - 2, bar.width(), 2), tokens.accent);
        const QString label = word(*span->phase);
        if (m_painter.fontMetrics().horizontalAdvance(label) + 6 > bar.width())
            continue;
        m_painter.setPen(tokens.text);
        m_painter.drawText(bar.adjusted(0, 0, 0, -2), Qt::AlignCenter, label);
    }
}

/// What is usual is faint: a host that was cut off or is gone stands out.
void TimelinePainter::paintHosts()
{
    for (int row = 0; row < m_geometry.shownHosts(); ++row) {
        const HostLane& lane = m_history.hostLanes()[static_cast<size_t>(row)];
        const QRect place = m_geometry.hostRow(row);
        const QRect label(0, place.top(), m_plot.left() - 8, place.height());
        m_painter.setPen(themeTokens().mutedText);
        m_painter.drawText(label, Qt::AlignVCenter | Qt::AlignRight,
                           m_painter.fontMetrics().elidedText(QString::fromStdString(lane.host),
                                                              Qt::ElideMiddle, label.width()));
        for (const RunHistory::SpanId id : lane.spans) {
            const StateSpan* span = m_history.span(id);
            if (span == nullptr)
                continue;
            const std::int64_t end = m_geometry.endOf(*span);
            const double left =
                std::max<double>(m_plot.left(), m_geometry.xOf(span->from.monotonicNs));
            const double right = std::min<double>(m_plot.right(), m_geometry.xOf(end));
            if (right <= left)
                continue;
            const StateLook look = lookOf(span->hostState, themeTokens());
            const bool isUsual = span->hostState == HostChanged::State::Connected;
            const QRectF bar(left, place.top() + 4, std::max(1.5, right - left - 0.5),
                             place.height() - 8);
            m_painter.fillRect(bar, withAlpha(look.color.fill, isUsual ? 0.25 : 0.75));
            if (bar.width() >= GlyphSize + 2)
                paintGlyph(m_painter,
                           {left + 1, bar.center().y() - GlyphSize / 2, GlyphSize, GlyphSize},
                           look.shape, look.color.fill);
        }
    }
}

void TimelinePainter::paintAxis()
{
    const Tokens& tokens = themeTokens();
    for (const TimeTick& tick :
         timeTicks(m_shown.from, m_shown.to, m_span.begin(), m_plot.width() / 90)) {
        const double x = m_geometry.xOf(tick.at);
        m_painter.setPen(tokens.grid);
        m_painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
        m_painter.setPen(tokens.mutedText);
        const double half = m_painter.fontMetrics().horizontalAdvance(tick.label) / 2.0;
        if (x + half <= m_geometry.lane(0).width())
            m_painter.drawText(QPointF(x - half, m_plot.bottom() + 15), tick.label);
    }
}

} // namespace ringmaster::app
