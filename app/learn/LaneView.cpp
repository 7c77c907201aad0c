#include "app/learn/LaneView.h"

#include "app/bridge/Words.h"
#include "app/learn/LaneLook.h"
#include "app/learn/LessonScene.h"
#include "app/widget/AccessibleRole.h"
#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QHelpEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <numeric>
#include <set>

namespace ringmaster::app {

LaneView::LaneView(LessonPlayer& player, QWidget* parent) : QWidget(parent), m_player(player)
{
    setAccessibleRole(this, QAccessible::Graphic);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    translated(this, [this] {
        setAccessibleName(tr("The ranks over time; the table of steps has the same times"));
        m_described = {};
        refresh();
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
    const double names = nameWidth();
    return names + (width() - names - 4) * shareOf(ns);
}

double LaneView::shareOf(std::int64_t ns) const
{
    return isEmpty() ? 0 : static_cast<double>(ns) / static_cast<double>(lanes()->length());
}

QRectF LaneView::laneOf(int rank) const
{
    const std::vector<int> shown = ranks();
    const auto row = std::ranges::find(shown, rank) - shown.begin();
    return {nameWidth(), static_cast<double>(row) * laneHeight() + 2, width() - nameWidth() - 4,
            laneHeight() - 4};
}

bool LaneView::isRecordedJob() const
{
    return m_player.run() != nullptr && m_player.run()->job() != nullptr;
}

QRectF LaneView::placeOf(const lesson::Lanes::Span& span, const QRectF& lane) const
{
    const double left = lane.width() * shareOf(span.fromNs);
    const double right = lane.width() * (span.toNs < 0 ? 1 : shareOf(span.toNs));
    return {lane.left() + left, lane.top(), std::max(1.0, right - left), lane.height()};
}

void LaneView::paintLane(QPainter& painter, int rank) const
{
    const QRectF lane = laneOf(rank);
    painter.setPen(rankColor(rank, themeTokens()));
    painter.drawText(QRectF(0, lane.top(), nameWidth(), lane.height()), Qt::AlignVCenter,
                     rankText(rank));
    for (const lesson::Lanes::Span& span : lanes()->byRank()[static_cast<size_t>(rank)]) {
        const QRectF place = placeOf(span, lane);
        paintLaneSpan(painter, place, span.kind);
        if (span.isOverlapped)
            paintLaneRequests(painter, place);
    }
}

/// What the shapes that are there mean, as far as there is room, and how long the axis is.
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
    const auto explain = [&](const QString& meaning, const auto& paint) {
        const double width = metrics.horizontalAdvance(meaning);
        if (left + 18 + width > end)
            return;
        paint(QRectF(left, line.top() + 3, 14, line.height() - 6));
        painter.setPen(tokens.mutedText);
        painter.drawText(QPointF(left + 18, line.center().y() + metrics.ascent() / 2 - 1), meaning);
        left += 18 + width + 12;
    };
    std::set<LaneKind> kinds;
    bool isOverlapped = false;
    for (const int rank : ranks())
        for (const lesson::Lanes::Span& span : lanes()->byRank()[static_cast<size_t>(rank)]) {
            kinds.insert(span.kind);
            isOverlapped |= span.isOverlapped;
        }
    for (const LaneKind kind : kinds)
        explain(laneText(kind, isRecordedJob()),
                [&](const QRectF& place) { paintLaneSpan(painter, place, kind); });
    if (isOverlapped)
        explain(tr("requests under way"),
                [&](const QRectF& place) { paintLaneRequests(painter, place); });
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
    const double bottom = static_cast<double>(shown.size()) * laneHeight();
    painter.setPen(QPen(themeTokens().restarted.fill, 1.5, Qt::DashLine));
    for (const std::int64_t restart : lanes()->restarts())
        painter.drawLine(QPointF(xOf(restart), 0), QPointF(xOf(restart), bottom));
    const double now = xOf(lanes()->timeOf(m_player.position()));
    painter.setPen(QPen(themeTokens().accent, 1.5));
    painter.drawLine(QPointF(now, 0), QPointF(now, bottom));
}

/// With the times as they were measured: the axis may have cut them short.
QString LaneView::textAt(const QPointF& place) const
{
    for (const int rank : ranks()) {
        const QRectF lane = laneOf(rank);
        if (isEmpty() || !lane.contains(place))
            continue;
        const auto& spans = lanes()->byRank()[static_cast<size_t>(rank)];
        // The last one: those that are too short to be seen lie beneath their neighbours.
        const auto found =
            std::ranges::find_if(spans.rbegin(), spans.rend(), [&](const auto& span) {
                return placeOf(span, lane).contains(place);
            });
        if (found == spans.rend())
            return {};
        QStringList lines{tr("%1: %2, %3")
                              .arg(rankText(rank), laneText(found->kind, isRecordedJob()),
                                   fineDurationText(found->lastedNs))};
        if (found->isOverlapped)
            lines << tr("requests of its own are under way");
        return lines.join(u'\n');
    }
    return {};
}

void LaneView::refresh()
{
    const std::pair<const LessonRun*, size_t> shown(m_player.run(), m_player.size());
    if (std::exchange(m_described, shown) == shown)
        return;
    QStringList lines;
    for (const int rank : ranks())
        lines << tr("%1: %2").arg(
            rankText(rank),
            laneSums(lanes()->byRank()[static_cast<size_t>(rank)], isRecordedJob()));
    setAccessibleDescription(lines.join(u'\n'));
}

bool LaneView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
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
