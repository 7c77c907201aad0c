#include "app/learn/LaneView.h"

#include "app/bridge/Words.h"
#include "app/learn/LessonScene.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QLocale>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace ringmaster::app {

namespace {

using LaneKind = lesson::Lanes::Span::Kind;

QColor colorOf(LaneKind kind, const Tokens& tokens)
{
    switch (kind) {
    case LaneKind::Computing: return withAlpha(tokens.neutral.fill, 0.55);
    case LaneKind::Calling: return tokens.running.fill;
    case LaneKind::Waiting: return tokens.warning.fill;
    }
    return {};
}

/// Colour, and a shape that goes without it: full, flat, hatched.
void paintSpan(QPainter& painter, const QRectF& place, LaneKind kind)
{
    const QColor color = colorOf(kind, themeTokens());
    painter.setPen(Qt::NoPen);
    if (kind == LaneKind::Computing) {
        const double thin = place.height() * 0.3;
        painter.fillRect(place.adjusted(0, thin, 0, -thin), color);
        return;
    }
    painter.fillRect(place, withAlpha(color, kind == LaneKind::Waiting ? 0.35 : 0.9));
    if (kind == LaneKind::Waiting)
        painter.fillRect(place, QBrush(color, Qt::BDiagPattern));
}

} // namespace

LaneView::LaneView(LessonPlayer& player, QWidget* parent) : QWidget(parent), m_player(player)
{
    setAccessibleRole(this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    translated(this, [this] {
        setAccessibleName(tr("The ranks over time; the table of steps has the same times"));
        update();
    });
}

void LaneView::setTypeScale(double scale)
{
    m_scale = scale;
    updateGeometry();
    update();
}

const lesson::Lanes* LaneView::lanes() const
{
    return m_player.run() == nullptr ? nullptr : &m_player.run()->recording().lanes();
}

bool LaneView::isEmpty() const
{
    return lanes() == nullptr || lanes()->length() == 0;
}

QFont LaneView::typeFont() const
{
    QFont font = this->font();
    font.setPixelSize(static_cast<int>(10.5 * m_scale));
    return font;
}

QSize LaneView::sizeHint() const
{
    const auto count = static_cast<double>(ranks().size());
    return {300, static_cast<int>(laneHeight() * (count + 1.2))};
}

std::vector<int> LaneView::ranks() const
{
    if (lanes() == nullptr)
        return {};
    if (const lesson::RecordedJob* job = m_player.run()->job())
        return job->ranks;
    std::vector<int> all(lanes()->byRank().size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

double LaneView::nameWidth() const
{
    return QFontMetricsF(typeFont()).horizontalAdvance(rankText(88)) + 8;
}

double LaneView::xOf(std::int64_t ns) const
{
    const double room = width() - nameWidth() - 4;
    return isEmpty() ? nameWidth()
                     : nameWidth() +
                           room * static_cast<double>(ns) / static_cast<double>(lanes()->length());
}

QRectF LaneView::laneOf(int rank) const
{
    const std::vector<int> shown = ranks();
    const auto row = std::ranges::find(shown, rank) - shown.begin();
    return {nameWidth(), static_cast<double>(row) * laneHeight() + 2, width() - nameWidth() - 4,
            laneHeight() - 4};
}

void LaneView::paintLane(QPainter& painter, int rank) const
{
    const Tokens& tokens = themeTokens();
    const QRectF lane = laneOf(rank);
    painter.setPen(rankColor(rank, tokens));
    painter.drawText(QRectF(0, lane.top(), nameWidth(), lane.height()), Qt::AlignVCenter,
                     rankText(rank));
    for (const lesson::Lanes::Span& span : lanes()->byRank()[static_cast<size_t>(rank)]) {
        const double left = xOf(span.fromNs);
        const double right = xOf(span.toNs < 0 ? lanes()->length() : span.toNs);
        const QRectF place(left, lane.top(), std::max(1.0, right - left), lane.height());
        paintSpan(painter, place, span.kind);
        if (span.isOverlapped)
            painter.fillRect(QRectF(left, lane.bottom() - 2, place.width(), 2.5),
                             tokens.running.fill);
    }
}

/// What the shapes mean, as far as there is room, and how long the axis is.
void LaneView::paintLegend(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    const double top = static_cast<double>(ranks().size()) * laneHeight();
    const QRectF line(nameWidth(), top, width() - nameWidth() - 4, laneHeight());
    const QFontMetricsF metrics(painter.font());
    const QString length =
        tr("%1 ms").arg(QLocale().toString(static_cast<double>(lanes()->length()) / 1e6, 'f', 0));
    painter.setPen(tokens.mutedText);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, length);
    const double end = line.right() - metrics.horizontalAdvance(length) - 12;
    double left = line.left();
    const std::pair<LaneKind, QString> meanings[] = {
        {LaneKind::Computing, m_player.run()->job() == nullptr ? tr("computes or is held")
                                                               : tr("outside of operations")},
        {LaneKind::Calling, tr("in an operation")},
        {LaneKind::Waiting, tr("waits for others")}};
    for (const auto& [kind, meaning] : meanings) {
        const double width = metrics.horizontalAdvance(meaning);
        if (left + 18 + width > end)
            return;
        paintSpan(painter, {left, line.top() + 3, 14, line.height() - 6}, kind);
        painter.setPen(tokens.mutedText);
        painter.drawText(QPointF(left + 18, line.center().y() + metrics.ascent() / 2 - 1), meaning);
        left += 18 + width + 12;
    }
}

void LaneView::paintEvent(QPaintEvent*)
{
    if (isEmpty())
        return;
    QPainter painter(this);
    painter.setFont(typeFont());
    const std::vector<int> shown = ranks();
    for (const int rank : shown)
        paintLane(painter, rank);
    paintLegend(painter);
    const double now = xOf(lanes()->timeOf(m_player.position()));
    painter.setPen(QPen(themeTokens().accent, 1.5));
    painter.drawLine(QPointF(now, 0),
                     QPointF(now, static_cast<double>(shown.size()) * laneHeight()));
}

void LaneView::goTo(double x)
{
    if (isEmpty())
        return;
    const double room = std::max(1.0, width() - nameWidth() - 4);
    const double part = std::clamp((x - nameWidth()) / room, 0.0, 1.0);
    const auto ns = static_cast<std::int64_t>(part * static_cast<double>(lanes()->length()));
    m_player.pause();
    m_player.go(lanes()->stepAt(ns));
}

void LaneView::mousePressEvent(QMouseEvent* event)
{
    goTo(event->position().x());
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) != 0)
        goTo(event->position().x());
}

} // namespace ringmaster::app
