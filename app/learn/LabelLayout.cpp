#include "app/learn/LabelLayout.h"

#include "app/bridge/Words.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ringmaster::app {

namespace {

using Link = LessonScene::Link;

/// Where a line may end: after a colon, or within a list.
QStringList piecesOf(QString text, bool withinLists)
{
    text.replace(QStringLiteral(": "), QStringLiteral(":\n"));
    if (withinLists)
        text.replace(QStringLiteral(", "), QStringLiteral(",\n"));
    return text.split(u'\n');
}

} // namespace

LabelLayout::LabelLayout(const LessonScene& scene, const SceneLayout& layout,
                         const LinkLayout& links)
    : m_scene(scene), m_layout(layout), m_links(links), m_metrics(layout.type().textFont())
{
    // The badges of groups stand on the edges of the boxes, and how many lines are out of sight.
    for (const SceneLayout::Box& box : layout.boxes()) {
        const bool hasBadge = !scene.groups.empty() || !box.isWhole();
        m_taken.push_back(box.place.adjusted(-2, -2, 2, hasBadge ? 10 * layout.scale() : 2));
    }
    for (size_t i = 0; i < scene.collectives.size(); ++i)
        m_taken.push_back(links.hubOf(i).adjusted(-2, -2, 2, 2));
    for (size_t i = 0; i < scene.links.size(); ++i) {
        const Link& link = scene.links[i];
        if (link.kind != Link::Kind::Message && link.kind != Link::Kind::Offered)
            continue;
        // What stands on its way has its value on it.
        QRectF token({}, LinkLayout::tokenSize(m_layout.type(), link.value) + QSizeF(2, 2));
        token.moveCenter(links.placeOf(i, link.way()));
        m_taken.push_back(token);
    }
    traceWays();
    placeLabels();
}

void LabelLayout::traceWays()
{
    constexpr int Points = 40;
    for (size_t i = 0; i < m_scene.links.size(); ++i) {
        std::vector<QPointF> points;
        for (int point = 0; !m_links.pathOf(i).isEmpty() && point <= Points; ++point)
            points.push_back(m_links.placeOf(i, static_cast<double>(point) / Points));
        m_traces.push_back({{.link = static_cast<int>(i)}, std::move(points)});
    }
    for (size_t i = 0; !m_links.hasChunks() && i < m_scene.collectives.size(); ++i) {
        for (const int rank : m_scene.collectives[i].members) {
            if (m_layout.boxOf(rank).isEmpty())
                continue;
            const QLineF way = m_links.wayOf(i, rank);
            std::vector<QPointF> points;
            for (int point = 0; point <= Points; ++point)
                points.push_back(way.pointAt(static_cast<double>(point) / Points));
            m_traces.push_back(
                {{.collective = static_cast<int>(i), .rank = rank}, std::move(points)});
        }
    }
}

void LabelLayout::placeLabels()
{
    for (size_t i = 0; i < m_scene.links.size(); ++i) {
        const Link& link = m_scene.links[i];
        const bool isSaidElsewhere = !link.isWait() && partnerOf(link) != nullptr;
        if (!m_links.pathOf(i).isEmpty() && !isSaidElsewhere)
            addLabel({.link = static_cast<int>(i), .lines = linesOf(link)},
                     m_links.placeOf(i, 0.5));
    }
    for (size_t i = 0; !m_links.hasChunks() && i < m_scene.collectives.size(); ++i) {
        for (const LessonScene::Collective::Part& part : m_scene.collectives[i].parts) {
            const QString text = part.isBack ? part.takes : part.gives;
            if (text.isEmpty() || m_layout.boxOf(part.rank).isEmpty())
                continue;
            addLabel({.collective = static_cast<int>(i),
                      .rank = part.rank,
                      .lines = {part.isBack ? tr("gets %1").arg(text) : tr("gives %1").arg(text)}},
                     m_links.wayOf(i, part.rank).center());
        }
    }
    if (const int leftOut = m_leftOut; leftOut > 0)
        addLabel({.lines = {tr("%n more in the table", nullptr, leftOut)}},
                 m_layout.middle().center());
}

/// In more lines, where one is wider than `most`: each of its parts stays whole, `withinLists` each
/// number of a list.
QStringList LabelLayout::wrapped(const QStringList& lines, double most, bool withinLists) const
{
    const QString dot = QStringLiteral(" · ");
    QStringList wrapped;
    for (const QString& line : lines) {
        QString now;
        for (const QString& part : line.split(dot)) {
            QString joint = dot;
            for (const QString& piece : piecesOf(part, withinLists)) {
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
void LabelLayout::addLabel(Label label, const QPointF& at)
{
    const double scale = m_layout.scale();
    const QStringList whole = label.lines;
    struct Shape
    {
        QStringList lines;
        double most;
        bool isWhole = true;
    };
    double nearest = -1;
    Label best;
    for (const Shape& shape :
         {Shape{whole, 230}, Shape{wrapped(whole, 112 * scale), 230}, Shape{wrapped(whole, 0), 230},
          Shape{wrapped(whole, 112 * scale, true), 230, false}, Shape{whole, 130, false},
          Shape{whole.mid(0, 1), 80, false}}) {
        // A list in two lines, or what is cut, only where there is no place for all of it.
        if (nearest >= 0 && !shape.isWhole)
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
        const double away = QLineF(label.place.center(), at).length();
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

QRectF LabelLayout::freePlace(const Label& label, const QSizeF& size, const QPointF& at) const
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
        double away = QLineF(middle, at).length();
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

int LabelLayout::hiddenWays(const Label& label, const QRectF& place) const
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
bool LabelLayout::isAtItsRank(const Label& label, const QPointF& middle) const
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

bool LabelLayout::isFree(const QRectF& place) const
{
    return std::ranges::none_of(m_taken,
                                [&](const QRectF& taken) { return taken.intersects(place); });
}

/// Of a message that somebody waits for: that one. Both have one label.
const Link* LabelLayout::partnerOf(const Link& link) const
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
QStringList LabelLayout::linesOf(const Link& link) const
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
