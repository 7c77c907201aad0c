#include "app/learn/SceneTravels.h"

#include "app/widget/Theme.h"
#include "app/widget/Tokens.h"

#include <QEasingCurve>
#include <QPainter>

#include <algorithm>

namespace ringmaster::app {

using Link = LessonScene::Link;

const QStringList* SceneProgress::elementsOf(int rank, const QString& value) const
{
    if (isOver())
        return nullptr;
    const auto found = before.find({rank, value});
    return found == before.end() ? nullptr : &found->second;
}

SceneTravels::SceneTravels(const LessonScene& scene, const SceneLayout& layout,
                           const LinkLayout& links)
    : m_scene(scene), m_layout(layout), m_links(links)
{
    for (size_t i = 0; i < scene.links.size(); ++i) {
        if (moves(i))
            addLink(i);
    }
    for (size_t i = 0; i < scene.collectives.size(); ++i) {
        for (const LessonScene::Collective::Part& part : scene.collectives[i].parts) {
            if (part.isNew)
                addPart(i, part);
        }
    }
}

bool SceneTravels::moves(size_t link) const
{
    const Link& known = m_scene.links[link];
    return known.isNew && known.way() > known.wayBefore && !m_links.pathOf(link).isEmpty();
}

void SceneTravels::addLink(size_t index)
{
    constexpr int Points = 24;
    const Link& link = m_scene.links[index];
    QPainterPath way;
    const auto to = [&way](const QPointF& point) {
        if (way.elementCount() == 0)
            way.moveTo(point);
        else
            way.lineTo(point);
    };
    if (link.wayBefore == 0)
        to(m_layout.cellOf(link.from, link.sent, link.element).center());
    for (int i = 0; i <= Points; ++i)
        to(m_links.placeOf(index, link.wayBefore + (link.way() - link.wayBefore) * i / Points));
    if (link.way() == 1)
        to(m_layout.cellOf(link.to, link.room, link.element).center());
    m_travels.push_back({way, link.value, link.kind});
}

void SceneTravels::addPart(size_t collective, const LessonScene::Collective::Part& part)
{
    const QString value = part.isBack ? part.takes : part.gives;
    if (value.isEmpty() || m_layout.boxOf(part.rank).isEmpty())
        return;
    const QLineF line = m_links.wayOf(collective, part.rank);
    std::vector<QPointF> points{m_layout.cellOf(part.rank, part.value).center(), line.p1(),
                                line.p2()};
    if (part.isBack)
        std::ranges::reverse(points);
    QPainterPath way(points.front());
    way.lineTo(points[1]);
    way.lineTo(points[2]);
    m_travels.push_back({way, value, Link::Kind::Message});
}

QPointF SceneTravels::placeOf(const Travel& travel, double done)
{
    static const QEasingCurve ease(QEasingCurve::InOutQuad);
    return travel.way.pointAtPercent(ease.valueForProgress(std::clamp(done, 0.0, 1.0)));
}

void SceneTravels::paint(QPainter& painter, double done) const
{
    for (const Travel& travel : m_travels)
        paintValue(painter, m_layout.type(), placeOf(travel, done), travel.value, travel.kind);
}

void SceneTravels::paintValue(QPainter& painter, const SceneType& type, const QPointF& at,
                              const QString& value, Link::Kind kind)
{
    const Tokens& tokens = themeTokens();
    const StateLook look = lookOf(kind, tokens);
    painter.setFont(type.valueFont());
    const QFontMetricsF metrics(painter.font());
    QRectF place({}, LinkLayout::tokenSize(type, value));
    const QString text =
        metrics.elidedText(value, Qt::ElideRight, place.width() - 14 * type.scale() + 0.5);
    place.moveCenter(at);
    painter.setPen(QPen(look.color.fill, 2));
    painter.setBrush(tokens.card);
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2);
    painter.setPen(look.color.text);
    painter.drawText(place, Qt::AlignCenter, text);
}

} // namespace ringmaster::app
