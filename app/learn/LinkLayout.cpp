#include "app/learn/LinkLayout.h"

#include "app/bridge/Words.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

/// Where a line may end: after a colon, or within a list.
QStringList piecesOf(QString text, bool withinLists)
{
    text.replace(QStringLiteral(": "), QStringLiteral(":\n"));
    if (withinLists)
        text.replace(QStringLiteral(", "), QStringLiteral(",\n"));
    return text.split(u'\n');
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
    // The badges of groups stand on the edges of the boxes, and how many lines are out of sight.
    for (const SceneLayout::Box& box : layout.boxes()) {
        const bool hasBadge = !scene.groups.empty() || !box.isWhole();
        m_taken.push_back(box.place.adjusted(-2, -2, 2, hasBadge ? 10 * layout.scale() : 2));
    }
    placeHubs();
    for (size_t i = 0; i < scene.links.size(); ++i)
        m_paths.push_back(wayFor(i));
    for (size_t i = 0; i < scene.links.size(); ++i) {
        const Link& link = scene.links[i];
        if (link.kind != Link::Kind::Message && link.kind != Link::Kind::Offered)
            continue;
        // What stands on its way has its value on it.
        QRectF token({}, tokenSize(m_layout.type(), link.value) + QSizeF(2, 2));
        token.moveCenter(placeOf(i, link.way()));
        m_taken.push_back(token);
    }
    traceWays();
    placeLabels();
}

QSizeF LinkLayout::tokenSize(const SceneType& type, const QString& value)
{
    const QFontMetricsF metrics(type.valueFont());
    const double most = 170 * type.scale();
    return {std::min(most, metrics.horizontalAdvance(value)) + 14 * type.scale(),
            type.cellHeight()};
}

void LinkLayout::traceWays()
{
    constexpr int Points = 40;
    for (size_t i = 0; i < m_paths.size(); ++i) {
        std::vector<QPointF> points;
        for (int point = 0; !m_paths[i].isEmpty() && point <= Points; ++point)
            points.push_back(m_paths[i].pointAtPercent(static_cast<double>(point) / Points));
        m_traces.push_back({{.link = static_cast<int>(i)}, std::move(points)});
    }
    for (size_t i = 0; !m_hasChunks && i < m_scene.collectives.size(); ++i) {
        for (const int rank : m_scene.collectives[i].members) {
            if (m_layout.boxOf(rank).isEmpty())
                continue;
            const QLineF way = wayOf(i, rank);
            std::vector<QPointF> points;
            for (int point = 0; point <= Points; ++point)
                points.push_back(way.pointAt(static_cast<double>(point) / Points));
            m_traces.push_back(
                {{.collective = static_cast<int>(i), .rank = rank}, std::move(points)});
        }
    }
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

/// In more lines, where one is wider than `most`: each of its parts stays whole, of a list of
/// numbers each number. 0: each part has a line.
QStringList LinkLayout::wrapped(const QStringList& lines, double most) const
{
    const QString dot = QStringLiteral(" · ");
    QStringList wrapped;
    for (const QString& line : lines) {
        QString now;
        for (const QString& part : line.split(dot)) {
            QString joint = dot;
            for (const QString& piece : piecesOf(part, most > 0)) {
                const QString longer = now.isEmpty() ? piece : now + joint + piece;
                if (!now.isEmpty() && m_metrics.horizontalAdvance(longer) > most)
                    wrapped << std::exchange(now, piece);
                else
                    now = longer;
                joint = QStringLiteral(" ");
            }
        }
        wrapped << now;
    }
    return wrapped;
}

/// As near as it can be, in more lines or shorter where there is little room.
void LinkLayout::addLabel(Label label, const QPointF& at)
{
    const double scale = m_layout.scale();
    const QStringList whole = label.lines;
    struct Shape
    {
        QStringList lines;
        double most;
    };
    double nearest = -1;
    Label best;
    for (const Shape& shape :
         {Shape{whole, 230}, Shape{wrapped(whole, 112 * scale), 230}, Shape{wrapped(whole, 0), 230},
          Shape{whole, 130}, Shape{whole.mid(0, 1), 80}}) {
        // Cut only where there is no place for all of it.
        if (nearest >= 0 && shape.most < 230)
            break;
        double width = 0;
        label.lines.clear();
        for (const QString& line : shape.lines) {
            label.lines << m_metrics.elidedText(line, Qt::ElideRight, shape.most * scale);
            width = std::max(width, m_metrics.horizontalAdvance(label.lines.last()));
        }
        const QSizeF size(width + 30 * scale,
                          m_metrics.height() * static_cast<double>(label.lines.size()) + 6);
        label.place = freePlace(label, size, at);
        if (label.place.isEmpty())
            continue;
        // In fewer lines, where that is about as near.
        const double away = distance(label.place.center(), at);
        if (nearest >= 0 && away > nearest - 20 * scale)
            continue;
        nearest = away;
        best = label;
    }
    if (nearest < 0) {
        ++m_leftOut;
        return;
    }
    m_taken.push_back(best.place.adjusted(-2, -2, 2, 2));
    m_labels.push_back(std::move(best));
}

QRectF LinkLayout::freePlace(const Label& label, const QSizeF& size, const QPointF& at) const
{
    constexpr int Places = 64;    // in each direction
    constexpr double Hidden = 25; // pixels that a way which stays in sight is worth
    const QRectF area = m_layout.area();
    QRectF best;
    double nearest = -1;
    const QPointF step(area.width() / Places, area.height() / Places);
    const auto consider = [&](double x, double y) {
        const QPointF middle = at + QPointF(x * step.x(), y * step.y());
        QRectF place({}, size);
        place.moveCenter(middle);
        double away = distance(middle, at);
        if ((nearest >= 0 && away >= nearest) || !area.contains(place) || !isFree(place) ||
            !isAtItsRank(label, middle))
            return;
        away += Hidden * m_layout.scale() * hiddenWays(label, place);
        if (nearest >= 0 && away >= nearest)
            return;
        nearest = away;
        best = place;
    };
    // Ring by ring around it, as long as there may be a nearer one.
    const double closer = std::min(step.x(), step.y());
    for (int ring = 0; ring <= Places && (nearest < 0 || ring * closer < nearest); ++ring) {
        for (int x = -ring; x <= ring; ++x) {
            for (int y = -ring; y <= ring; y += std::abs(x) == ring ? 1 : std::max(1, 2 * ring))
                consider(x, y);
        }
    }
    return best;
}

int LinkLayout::hiddenWays(const Label& label, const QRectF& place) const
{
    int hidden = 0;
    for (const auto& [own, points] : m_traces) {
        const bool isItsOwn =
            own.link == label.link && own.collective == label.collective && own.rank == label.rank;
        if (!isItsOwn && std::ranges::any_of(
                             points, [&](const QPointF& point) { return place.contains(point); }))
            ++hidden;
    }
    return hidden;
}

/// What a rank gives to a collective or gets of it would be read as its neighbour's there.
bool LinkLayout::isAtItsRank(const Label& label, const QPointF& middle) const
{
    if (label.rank < 0)
        return true;
    const auto away = [&](const QRectF& box) {
        return std::hypot(std::max({box.left() - middle.x(), 0.0, middle.x() - box.right()}),
                          std::max({box.top() - middle.y(), 0.0, middle.y() - box.bottom()}));
    };
    const double closer = 12 * m_layout.scale(); // as one sees at a glance
    const QRectF own = m_layout.boxOf(label.rank);
    return std::ranges::all_of(m_layout.boxes(), [&](const SceneLayout::Box& box) {
        return box.place == own || away(own) + closer <= away(box.place);
    });
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
