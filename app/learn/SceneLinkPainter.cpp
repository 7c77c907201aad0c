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

void paintHeadOfArrow(QPainter& painter, const QPointF& tip, const QPointF& from, double size)
{
    const double angle = std::atan2(tip.y() - from.y(), tip.x() - from.x());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * size;
    };
    painter.drawPolygon(QPolygonF{tip, corner(0.45), corner(-0.45)});
}

bool isMember(const std::vector<int>& ranks, int rank)
{
    return std::ranges::find(ranks, rank) != ranks.end();
}

} // namespace

SceneLinkPainter::SceneLinkPainter(const LessonScene& scene, const SceneLayout& layout,
                                   const LinkLayout& links)
    : m_scene(scene), m_layout(layout), m_links(links), m_scale(layout.scale())
{
}

/// A shape through the members' boxes, behind all the rest. One for groups of the same members, and
/// none where these are all: the badges name them.
void SceneLinkPainter::paintGroups(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.save();
    for (size_t i = 0; i < m_scene.groups.size(); ++i) {
        const LessonScene::Group& group = m_scene.groups[i];
        const auto first =
            std::ranges::find(m_scene.groups, group.members, &LessonScene::Group::members);
        const bool isDrawn = first != m_scene.groups.begin() + static_cast<std::ptrdiff_t>(i);
        if (isDrawn || group.members.size() == m_scene.ranks.size())
            continue;
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

/// The names of a rank's groups at its box, and what they mean below.
void SceneLinkPainter::paintBadges(QPainter& painter) const
{
    const Tokens& tokens = themeTokens();
    painter.setFont(GroupLegend::font(m_layout.type()));
    const QFontMetrics metrics = painter.fontMetrics();
    const double height = metrics.height() + 3;
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        const QRectF box = m_layout.boxOf(rank.rank);
        double right = box.right() - 8;
        // How many lines are out of sight stands on the left.
        const SceneLayout::Box* whole = m_layout.find(rank.rank);
        const double left = box.left() + (whole == nullptr || whole->isWhole() ? 0 : 62 * m_scale);
        for (size_t i = 0; i < m_scene.groups.size(); ++i) {
            const LessonScene::Group& group = m_scene.groups[i];
            const double width = metrics.horizontalAdvance(group.name) + 12;
            if (!isMember(group.members, rank.rank) || right - width < left)
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
    for (const GroupLegend::Entry& entry : m_layout.legend().entries()) {
        painter.setPen(rankColor(static_cast<int>(entry.group), tokens));
        painter.drawText(entry.place, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip,
                         entry.text);
    }
}

/// Who has come into a collective and who is back: what goes on inside of it is another matter.
void SceneLinkPainter::paintWays(QPainter& painter, size_t index) const
{
    const Collective& collective = m_scene.collectives[index];
    for (const int rank : collective.members) {
        if (!m_links.hasChunks() && !m_layout.boxOf(rank).isEmpty())
            paintWay(painter, collective, m_links.wayOf(index, rank), rank);
    }
}

/// Over the links: one that has no other way goes behind it.
void SceneLinkPainter::paintHub(QPainter& painter, size_t index) const
{
    const Tokens& tokens = themeTokens();
    const Collective& collective = m_scene.collectives[index];
    const Tokens::State& color = collective.disagrees ? tokens.failed : tokens.running;
    const QRectF hub = m_links.hubOf(index);
    painter.setFont(m_layout.type().rankFont());
    painter.setPen(QPen(color.fill, 1.5));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(hub, 8, 8);
    painter.setPen(color.text);
    painter.drawText(hub.adjusted(8 * m_scale, 0, -8 * m_scale, 0),
                     Qt::AlignCenter | Qt::TextWordWrap,
                     collective.name + u'\n' + collective.state);
}

/// In with what a rank brings, out with what it takes away; a dot where it only takes part.
void SceneLinkPainter::paintWay(QPainter& painter, const Collective& collective, const QLineF& way,
                                int rank) const
{
    const Tokens& tokens = themeTokens();
    const Collective::Part* part = collective.partOf(rank);
    const QColor color = part == nullptr        ? tokens.neutral.fill
                         : collective.disagrees ? tokens.failed.fill
                                                : tokens.running.fill;
    const QPointF outer = way.p1();
    const QPointF inner = way.p2();
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

void SceneLinkPainter::paintLink(QPainter& painter, size_t index, bool isMoving) const
{
    const Link& link = m_scene.links[index];
    const QPainterPath& path = m_links.pathOf(index);
    if (path.isEmpty())
        return;
    const StateLook look = lookOf(link.kind, themeTokens());
    const Qt::PenStyle style = link.isWait()                      ? Qt::DashLine
                               : link.kind == Link::Kind::Awaited ? Qt::DotLine
                                                                  : Qt::SolidLine;
    const bool isGrave = link.kind == Link::Kind::Cycle || link.kind == Link::Kind::Corrupted;
    const bool isOnItsWay = link.kind == Link::Kind::Message || link.kind == Link::Kind::Offered;
    // Where it has to go yet is thinner than where it has been.
    painter.setPen(QPen(withAlpha(look.color.fill, isOnItsWay ? 0.45 : 1), isGrave ? 3 : 2, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.color.fill);
    paintHeadOfArrow(painter, path.pointAtPercent(1), path.pointAtPercent(0.95), 11 * m_scale);
    if (isOnItsWay && !isMoving && !link.value.isEmpty())
        SceneTravels::paintValue(painter, m_layout.type(), m_links.placeOf(index, link.way()),
                                 link.value, link.kind);
}

void SceneLinkPainter::paintLabel(QPainter& painter, const LabelLayout::Label& label) const
{
    const Tokens& tokens = themeTokens();
    const StateLook look = label.link >= 0
                               ? lookOf(m_scene.links[static_cast<size_t>(label.link)].kind, tokens)
                               : StateLook{tokens.running, Glyph::Arrow};
    painter.setFont(m_layout.type().textFont());
    painter.setPen(QPen(look.color.fill, 1.2));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(label.place, 5, 5);
    const double glyph = 10 * m_scale;
    paintGlyph(painter,
               {label.place.left() + 6, label.place.center().y() - glyph / 2, glyph, glyph},
               look.shape, look.color.fill);
    painter.setPen(look.color.text);
    painter.drawText(label.place.adjusted(12 + glyph, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     label.lines.join(u'\n'));
}

} // namespace ringmaster::app
