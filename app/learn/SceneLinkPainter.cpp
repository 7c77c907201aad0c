#include "app/learn/SceneLinkPainter.h"

#include "app/bridge/Words.h"
#include "app/widget/Theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

using Link = LessonScene::Link;
using Collective = LessonScene::Collective;

constexpr qsizetype MostInLegend = 6;

/// Where the line from the middle of `box` to `towards` leaves it.
QPointF edgeOf(const QRectF& box, const QPointF& towards)
{
    const QPointF way = towards - box.center();
    const double across = way.x() == 0 ? 1e9 : box.width() / 2 / std::abs(way.x());
    const double down = way.y() == 0 ? 1e9 : box.height() / 2 / std::abs(way.y());
    return box.center() + way * std::min({across, down, 1.0});
}

void paintHeadOfArrow(QPainter& painter, const QPointF& tip, const QPointF& from, double size)
{
    const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size;
    };
    painter.drawPolygon(QPolygonF{tip, corner(0.45), corner(-0.45)});
}

double overlap(const QRectF& label, const std::vector<QRectF>& taken)
{
    double area = 0;
    for (const QRectF& other : taken) {
        const QRectF common = label & other;
        area += std::max(0.0, common.width()) * std::max(0.0, common.height());
    }
    return area;
}

bool isMember(const std::vector<int>& ranks, int rank)
{
    return std::ranges::find(ranks, rank) != ranks.end();
}

} // namespace

SceneLinkPainter::SceneLinkPainter(const LessonScene& scene, const SceneLayout& layout)
    : m_scene(scene), m_layout(layout), m_area(layout.area()), m_scale(layout.scale())
{
}

/// A shape through the members' boxes, behind all the rest.
void SceneLinkPainter::paintGroups(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.save();
    for (size_t i = 0; i < m_scene.groups.size(); ++i) {
        const LessonScene::Group& group = m_scene.groups[i];
        QPolygonF shape;
        for (const int rank : group.members) {
            if (const QRectF box = m_layout.boxOf(rank); !box.isEmpty())
                shape << box.center();
        }
        const QColor color = rankColor(static_cast<int>(i), tokens);
        const bool isLine = shape.size() < 3;
        painter.setPen(QPen(withAlpha(color, 0.35), isLine ? 9 : 2, Qt::SolidLine, Qt::RoundCap,
                            Qt::RoundJoin));
        painter.setBrush(withAlpha(color, 0.07));
        if (isLine)
            painter.drawPolyline(shape);
        else
            painter.drawPolygon(shape);
    }
    painter.restore();
}

/// The names of a rank's groups at its box, and what they mean in a corner.
void SceneLinkPainter::paintBadges(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(m_layout.fontOf(10.5, true));
    const QFontMetrics metrics = painter.fontMetrics();
    const double height = metrics.height() + 3;
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        const QRectF box = m_layout.boxOf(rank.rank);
        double right = box.right() - 8;
        for (size_t i = 0; i < m_scene.groups.size(); ++i) {
            const LessonScene::Group& group = m_scene.groups[i];
            const double width = metrics.horizontalAdvance(group.name) + 12;
            if (!isMember(group.members, rank.rank) || right - width < box.left())
                continue;
            const QRectF badge(right - width, box.bottom() - height / 2, width, height);
            const QColor color = rankColor(static_cast<int>(i), tokens);
            painter.setPen(QPen(color, 1.2));
            painter.setBrush(tokens.card);
            painter.drawRoundedRect(badge, height / 2, height / 2);
            painter.drawText(badge, Qt::AlignCenter, group.name);
            right -= width + 4;
        }
    }
    double bottom = m_area.bottom();
    for (qsizetype i = std::min<qsizetype>(std::ssize(m_scene.groups), MostInLegend); i-- > 0;) {
        const LessonScene::Group& group = m_scene.groups[static_cast<size_t>(i)];
        const QString text =
            tr("◆ %1: ranks %2, line %3").arg(group.name, ranksText(group.members)).arg(group.line);
        bottom -= metrics.height() + 2;
        painter.setPen(rankColor(static_cast<int>(i), tokens));
        painter.drawText(QPointF(m_area.left() + 2, bottom + metrics.ascent()), text);
    }
}

QRectF SceneLinkPainter::boxOf(const QPainter& painter, const Collective& collective, int row) const
{
    const QFontMetrics metrics(m_layout.fontOf(12, true), painter.device());
    const QSizeF size(std::max(metrics.horizontalAdvance(collective.name),
                               metrics.horizontalAdvance(collective.state)) +
                          20 * m_scale,
                      40 * m_scale);
    QRectF box(QPointF(), size);
    box.moveCenter(m_area.center() + QPointF(0, row * (size.height() + 6)));
    return box;
}

/// Who has come into a collective and who is back: what goes on inside of it is another matter.
void SceneLinkPainter::paintCollective(QPainter& painter, const Collective& collective,
                                       const QRectF& box, bool hasWays) const
{
    const Tokens& tokens = themeTokens();
    for (const int rank : collective.members) {
        if (hasWays)
            paintWay(painter, collective, box, rank);
    }
    const Tokens::State& color = collective.disagrees ? tokens.failed : tokens.running;
    painter.setFont(m_layout.fontOf(12, true));
    painter.setPen(QPen(color.fill, 1.5));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(box, 8, 8);
    painter.setPen(color.text);
    painter.drawText(box, Qt::AlignCenter, collective.name + u'\n' + collective.state);
}

/// In with what a rank brings, out with what it takes away; a dot where it only takes part.
void SceneLinkPainter::paintWay(QPainter& painter, const Collective& collective, const QRectF& box,
                                int rank) const
{
    const Tokens& tokens = themeTokens();
    const Collective::Part* part = collective.partOf(rank);
    const QColor color = part == nullptr        ? tokens.neutral.fill
                         : collective.disagrees ? tokens.failed.fill
                                                : tokens.running.fill;
    const QPointF outer = edgeOf(m_layout.boxOf(rank), box.center());
    const QPointF inner = edgeOf(box, outer);
    painter.setBrush(color);
    painter.setPen(
        QPen(color, part != nullptr ? 2 : 1.3, part != nullptr ? Qt::SolidLine : Qt::DotLine));
    painter.drawLine(outer, inner);
    painter.setPen(Qt::NoPen);
    if (part == nullptr)
        return;
    const double size = 10 * m_scale;
    if (part->isBack && !part->takes.isEmpty())
        paintHeadOfArrow(painter, outer, inner, size);
    else if (!part->isBack && !part->gives.isEmpty())
        paintHeadOfArrow(painter, inner, outer, size);
    else
        painter.drawEllipse(part->isBack ? outer : inner, size / 3, size / 3);
}

void SceneLinkPainter::paintParts(QPainter& painter, const Collective& collective, QRectF box,
                                  Taken& taken) const
{
    const StateLook look{themeTokens().running, Glyph::Arrow};
    for (const Collective::Part& part : collective.parts) {
        const QString text = part.isBack ? part.takes : part.gives;
        if (text.isEmpty() || m_layout.boxOf(part.rank).isEmpty())
            continue;
        const QPointF outer = edgeOf(m_layout.boxOf(part.rank), box.center());
        QPainterPath way(part.isBack ? edgeOf(box, outer) : outer);
        way.lineTo(part.isBack ? outer : edgeOf(box, outer));
        paintNote(painter, {part.isBack ? tr("gets %1").arg(text) : tr("gives %1").arg(text)}, look,
                  way, taken);
    }
}

/// To the left of its way, so that two that go to and fro lie apart; what waits bends further, and
/// between two ranks side by side all pass above or below them.
QPointF SceneLinkPainter::bendOf(const Link& link) const
{
    const QPointF from = m_layout.boxOf(link.from).center();
    const QPointF to = m_layout.boxOf(link.to).center();
    const QPointF way = to - from;
    const double length = std::max(1.0, std::hypot(way.x(), way.y()));
    const QPointF side = QPointF(way.y(), -way.x()) / length;
    const double past =
        m_scene.ranks.size() == 2 ? m_layout.boxSize().height() + 44 * m_scale : 18 * m_scale;
    return (from + to) / 2 + side * (past + (link.isWait() ? 60 : 0) * m_scale);
}

QPainterPath SceneLinkPainter::pathOf(const Link& link) const
{
    if (m_layout.boxOf(link.from).isEmpty() || m_layout.boxOf(link.to).isEmpty() ||
        link.from == link.to)
        return {};
    const QPointF bend = bendOf(link);
    const QPointF start = edgeOf(m_layout.boxOf(link.from), bend);
    QPointF end = edgeOf(m_layout.boxOf(link.to), bend);
    if (link.kind == Link::Kind::Offered)
        end = start + (end - start) * 0.8;
    QPainterPath path(start);
    path.quadTo(bend, end);
    return path;
}

void SceneLinkPainter::paintLink(QPainter& painter, const Link& link) const
{
    const QPainterPath path = pathOf(link);
    if (path.isEmpty())
        return;
    const StateLook look = lookOf(link.kind, themeTokens());
    const Qt::PenStyle style = link.isWait()                      ? Qt::DashLine
                               : link.kind == Link::Kind::Awaited ? Qt::DotLine
                                                                  : Qt::SolidLine;
    const bool isGrave = link.kind == Link::Kind::Cycle || link.kind == Link::Kind::Corrupted;
    painter.setPen(QPen(look.color.fill, isGrave ? 3 : 2, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color.fill);
    paintHeadOfArrow(painter, path.pointAtPercent(1), bendOf(link), 11 * m_scale);
}

/// Of a message that somebody waits for: that one. Both have one label.
const Link* SceneLinkPainter::partnerOf(const Link& link) const
{
    const auto isPartner = [&](const Link& other) {
        const bool isAwaited = (link.isWait() ? other : link).kind == Link::Kind::Awaited;
        const bool isPending = (link.isWait() ? other : link).kind == Link::Kind::Offered;
        const bool isPair = isAwaited ? other.from == link.to && other.to == link.from
                                      : other.from == link.from && other.to == link.to;
        return link.isWait() != other.isWait() && isPair && (isAwaited || isPending);
    };
    const auto found = std::ranges::find_if(m_scene.links, isPartner);
    return found == m_scene.links.end() ? nullptr : &*found;
}

QStringList SceneLinkPainter::linesOf(const Link& link) const
{
    const Link* message = link.isWait() ? partnerOf(link) : &link;
    QStringList lines;
    if (message != nullptr && !message->value.isEmpty())
        lines << (message->bytes > 0 ? tr("%1 · %2 bytes").arg(message->value).arg(message->bytes)
                                     : message->value);
    lines << (link.line > 0 ? tr("%1 · line %2").arg(link.state).arg(link.line) : link.state);
    return lines;
}

void SceneLinkPainter::paintLabel(QPainter& painter, const Link& link, Taken& taken) const
{
    const QPainterPath path = pathOf(link);
    const bool isSaidElsewhere = !link.isWait() && partnerOf(link) != nullptr;
    if (!path.isEmpty() && !isSaidElsewhere)
        paintNote(painter, linesOf(link), lookOf(link.kind, themeTokens()), path, taken);
}

/// Where it hides least.
void SceneLinkPainter::paintNote(QPainter& painter, const QStringList& lines, const StateLook& look,
                                 const QPainterPath& along, Taken& taken) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(m_layout.fontOf(11));
    const QFontMetrics metrics = painter.fontMetrics();
    QStringList shown;
    double width = 0;
    for (const QString& line : lines) {
        shown << metrics.elidedText(line, Qt::ElideRight, static_cast<int>(230 * m_scale));
        width = std::max<double>(width, metrics.horizontalAdvance(shown.last()));
    }
    const QSizeF size(width + 30 * m_scale,
                      metrics.height() * static_cast<double>(shown.size()) + 6);
    QRectF best;
    double least = -1;
    for (const double place : {0.5, 0.4, 0.6, 0.3, 0.7}) {
        for (const double aside : {0.0, -1.0, 1.0, -2.0, 2.0}) {
            QRectF box({}, size);
            box.moveCenter(along.pointAtPercent(place) + QPointF(0, aside * size.height() * 0.7));
            box.moveLeft(std::clamp(box.left(), m_area.left(),
                                    std::max(m_area.left(), m_area.right() - box.width())));
            box.moveTop(std::clamp(box.top(), m_area.top(),
                                   std::max(m_area.top(), m_area.bottom() - box.height())));
            const double hidden = overlap(box, taken);
            if (least >= 0 && hidden >= least)
                continue;
            least = hidden;
            best = box;
        }
    }
    taken.push_back(best);
    painter.setPen(QPen(look.color.fill, 1.2));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(best, 5, 5);
    const double glyph = 10 * m_scale;
    paintGlyph(painter, {best.left() + 6, best.center().y() - glyph / 2, glyph, glyph}, look.shape,
               look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(best.adjusted(12 + glyph, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     shown.join(u'\n'));
}

} // namespace ringmaster::app
