#include "app/learn/LinkLayout.h"

#include "app/bridge/Words.h"

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

double distance(const QPointF& a, const QPointF& b)
{
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

} // namespace

LinkLayout::LinkLayout(const LessonScene& scene, const SceneLayout& layout)
    : m_scene(scene)
    , m_layout(layout)
    , m_metrics(layout.type().textFont())
    , m_hasChunks(std::ranges::any_of(scene.links, isChunk))
{
    // The badges of groups stand on the edges of the boxes.
    const double edge = scene.groups.empty() ? 2 : 10 * layout.scale();
    for (const SceneLayout::Box& box : layout.boxes())
        m_taken.push_back(box.place.adjusted(-2, -2, 2, edge));
    placeHubs();
    for (size_t i = 0; i < scene.links.size(); ++i)
        m_paths.push_back(wayFor(i));
    for (size_t i = 0; i < scene.links.size(); ++i) {
        const Link& link = scene.links[i];
        if (link.kind != Link::Kind::Message && link.kind != Link::Kind::Offered)
            continue;
        // What stands on its way has its value on it.
        QRectF token(0, 0, m_metrics.horizontalAdvance(link.value) + 14, m_metrics.height() + 4);
        token.moveCenter(placeOf(i, link.way()));
        m_taken.push_back(token);
    }
    placeLabels();
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
    const double far = distance(start, end);
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
        m_taken.push_back(hub.adjusted(-2, -2, 2, 2));
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

void LinkLayout::placeLabels()
{
    for (size_t i = 0; i < m_scene.links.size(); ++i) {
        const Link& link = m_scene.links[i];
        const bool isSaidElsewhere = !link.isWait() && partnerOf(link) != nullptr;
        if (!m_paths[i].isEmpty() && !isSaidElsewhere)
            addLabel({.link = static_cast<int>(i), .lines = linesOf(link)}, placeOf(i, 0.5));
    }
    for (size_t i = 0; !m_hasChunks && i < m_scene.collectives.size(); ++i) {
        for (const LessonScene::Collective::Part& part : m_scene.collectives[i].parts) {
            const QString text = part.isBack ? part.takes : part.gives;
            if (text.isEmpty() || m_layout.boxOf(part.rank).isEmpty())
                continue;
            addLabel({.collective = static_cast<int>(i),
                      .rank = part.rank,
                      .lines = {part.isBack ? tr("gets %1").arg(text) : tr("gives %1").arg(text)}},
                     wayOf(i, part.rank).center());
        }
    }
    if (const int leftOut = m_leftOut; leftOut > 0)
        addLabel({.lines = {tr("%n more in the table", nullptr, leftOut)}},
                 m_layout.middle().center());
}

/// As near as it can be, and shorter where there is little room.
void LinkLayout::addLabel(Label label, const QPointF& at)
{
    const double scale = m_layout.scale();
    const QStringList whole = label.lines;
    for (const double most : {230.0, 130.0, 80.0}) {
        const qsizetype count = most < 100 ? 1 : whole.size();
        double width = 0;
        label.lines.clear();
        for (const QString& line : whole.mid(0, count)) {
            label.lines << m_metrics.elidedText(line, Qt::ElideRight, most * scale);
            width = std::max(width, m_metrics.horizontalAdvance(label.lines.last()));
        }
        const QSizeF size(width + 30 * scale, m_metrics.height() * static_cast<double>(count) + 6);
        label.place = freePlace(size, at);
        if (label.place.isEmpty())
            continue;
        m_taken.push_back(label.place);
        m_labels.push_back(std::move(label));
        return;
    }
    ++m_leftOut;
}

QRectF LinkLayout::freePlace(const QSizeF& size, const QPointF& at) const
{
    constexpr int Places = 64; // in each direction
    const QRectF area = m_layout.area();
    QRectF best;
    double nearest = -1;
    const auto consider = [&](const QPointF& middle) {
        QRectF place({}, size);
        place.moveCenter(middle);
        const double away = distance(middle, at);
        if ((nearest >= 0 && away >= nearest) || !area.contains(place) || !isFree(place))
            return;
        nearest = away;
        best = place;
    };
    consider(at);
    for (int x = 0; nearest != 0 && x <= Places; ++x)
        for (int y = 0; y <= Places; ++y)
            consider(area.topLeft() +
                     QPointF(area.width() * x / Places, area.height() * y / Places));
    return best;
}

bool LinkLayout::isFree(const QRectF& place) const
{
    return std::ranges::none_of(m_taken,
                                [&](const QRectF& taken) { return taken.intersects(place); });
}

/// Of a message that somebody waits for: that one. Both have one label.
const Link* LinkLayout::partnerOf(const Link& link) const
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

/// What stands on its way has its value there.
QStringList LinkLayout::linesOf(const Link& link) const
{
    // Who waits to send has what it would send.
    const Link* message = link.isWait() && link.bytes == 0 ? partnerOf(link) : &link;
    const bool isOnItsWay = link.kind == Link::Kind::Message || link.kind == Link::Kind::Offered;
    QStringList lines;
    if (isOnItsWay)
        lines << tr("%1 bytes").arg(link.bytes);
    else if (message != nullptr && !message->value.isEmpty())
        lines << (message->bytes > 0 ? tr("%1 · %2 bytes").arg(message->value).arg(message->bytes)
                                     : message->value);
    const QString state =
        link.line > 0 ? tr("%1 · line %2").arg(link.state).arg(link.line) : link.state;
    if (isOnItsWay)
        lines.prepend(state);
    else
        lines << state;
    return lines;
}

} // namespace ringmaster::app
