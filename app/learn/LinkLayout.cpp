#include "app/learn/LinkLayout.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

using Link = LessonScene::Link;

/// Where the line from the middle of `box` to `towards` leaves it.
QPointF edgeOf(const QRectF& box, const QPointF& towards)
{
    const QPointF way = towards - box.center();
    const double across = way.x() == 0 ? 1e9 : box.width() / 2 / std::abs(way.x());
    const double down = way.y() == 0 ? 1e9 : box.height() / 2 / std::abs(way.y());
    return box.center() + way * std::min({across, down, 1.0});
}

bool isChunk(const Link& link)
{
    return link.kind == Link::Kind::Chunk || link.kind == Link::Kind::Corrupted;
}

} // namespace

LinkLayout::LinkLayout(const LessonScene& scene, const SceneLayout& layout)
    : m_scene(scene), m_layout(layout), m_hasChunks(std::ranges::any_of(scene.links, isChunk))
{
    placeHubs();
    for (size_t i = 0; i < scene.links.size(); ++i)
        m_paths.push_back(wayFor(i));
}

QSizeF LinkLayout::tokenSize(const SceneType& type, const QString& value)
{
    const QFontMetricsF metrics(type.valueFont());
    const double most = 170 * type.scale();
    return {std::min(most, metrics.horizontalAdvance(value)) + 14 * type.scale(),
            type.cellHeight()};
}

/// Of a message between two ranks there may be others, to and fro.
double LinkLayout::asideOf(size_t index) const
{
    const Link& link = m_scene.links[index];
    int before = 0;
    for (size_t i = 0; i < index; ++i)
        before += m_scene.links[i].from == link.from && m_scene.links[i].to == link.to;
    const double aside = (9 + 18 * before) * m_layout.scale();
    return link.from < link.to ? -aside : aside;
}

/// On the side of the rank's box that faces the middle.
QPointF LinkLayout::insideOf(int rank, double aside) const
{
    const QRectF box = m_layout.boxOf(rank);
    const QPointF inwards = m_layout.inwards(rank);
    return {box.center().x() + inwards.x() * box.width() / 2 + std::abs(inwards.y()) * aside,
            box.center().y() + inwards.y() * box.height() / 2 + std::abs(inwards.x()) * aside};
}

/// Straight between neighbours that are apart; else through the middle, past the others' boxes.
QPainterPath LinkLayout::wayFor(size_t index) const
{
    const Link& link = m_scene.links[index];
    const QRectF from = m_layout.boxOf(link.from);
    const QRectF to = m_layout.boxOf(link.to);
    if (from.isEmpty() || to.isEmpty() || link.from == link.to)
        return {};
    const double scale = m_layout.scale();
    const double aside = asideOf(index);
    const QPointF way = to.center() - from.center();
    const bool isRow = std::abs(way.y()) < 1;
    const bool isColumn = std::abs(way.x()) < 1;
    const double gap = isRow      ? std::abs(way.x()) - from.width()
                       : isColumn ? std::abs(way.y()) - from.height()
                                  : 0;
    QRectF between = from.united(to).adjusted(1, 1, -1, -1);
    const auto isInWay = [&](const SceneLayout::Box& box) {
        return box.place != from && box.place != to && box.place.intersects(between);
    };
    const bool isStraight = gap >= 60 * scale && std::ranges::none_of(m_layout.boxes(), isInWay);
    QPointF start;
    QPointF end;
    QPointF out;
    QPointF in;
    if (isStraight) {
        out = isRow ? QPointF(way.x() > 0 ? 1 : -1, 0) : QPointF(0, way.y() > 0 ? 1 : -1);
        in = -out;
        const QPointF shift = isRow ? QPointF(0, aside) : QPointF(aside, 0);
        const QSizeF half = from.size() / 2;
        start = from.center() + QPointF(out.x() * half.width(), out.y() * half.height()) + shift;
        end = to.center() + QPointF(in.x() * half.width(), in.y() * half.height()) + shift;
    } else {
        out = m_layout.inwards(link.from);
        in = m_layout.inwards(link.to);
        start = insideOf(link.from, aside);
        end = insideOf(link.to, aside);
    }
    const double far = QLineF(start, end).length();
    const double bend = std::clamp(far * 0.4, 10 * scale, 90 * scale);
    QPainterPath path(start);
    path.cubicTo(start + out * bend, end + in * bend, end);
    return path;
}

void LinkLayout::placeHubs()
{
    const double scale = m_layout.scale();
    const QRectF middle = m_layout.middle();
    const QFontMetricsF metrics(m_layout.type().rankFont());
    const double most = std::max(80.0, middle.width() - 24 * scale);
    std::vector<QSizeF> sizes;
    double height = 0;
    for (const LessonScene::Collective& collective : m_scene.collectives) {
        const QString text = collective.name + u'\n' + collective.state;
        const QRectF bounds = metrics.boundingRect(QRectF(0, 0, most - 20 * scale, 1000),
                                                   Qt::AlignCenter | Qt::TextWordWrap, text);
        sizes.emplace_back(bounds.width() + 20 * scale, bounds.height() + 8 * scale);
        height += sizes.back().height() + 6 * scale;
    }
    // One below the other; beside each other where they are too many for that.
    const bool isRow = height > std::max(middle.height(), 40 * scale) && sizes.size() > 1;
    double across = 0;
    for (const QSizeF& size : sizes)
        across += size.width() + 8 * scale;
    double x = middle.center().x() - across / 2;
    double y = middle.center().y() - height / 2;
    for (const QSizeF& size : sizes) {
        QRectF hub(QPointF(), size);
        hub.moveCenter(isRow ? QPointF(x + size.width() / 2, middle.center().y())
                             : QPointF(middle.center().x(), y + size.height() / 2));
        x += size.width() + 8 * scale;
        y += size.height() + 6 * scale;
        m_hubs.push_back(hub);
    }
}

QLineF LinkLayout::wayOf(size_t collective, int rank) const
{
    const QRectF hub = m_hubs[collective];
    const QPointF outer = edgeOf(m_layout.boxOf(rank), hub.center());
    return {outer, edgeOf(hub, outer)};
}

QPointF LinkLayout::placeOf(size_t link, double way) const
{
    const QPainterPath& path = m_paths[link];
    return path.isEmpty() ? QPointF() : path.pointAtPercent(std::clamp(way, 0.0, 1.0));
}

} // namespace ringmaster::app
