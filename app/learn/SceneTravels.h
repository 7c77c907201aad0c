#pragma once

#include "app/learn/LinkLayout.h"

#include <map>

class QPainter;

namespace ringmaster::app {

/// How much of a step has happened, and what was there before it.
struct SceneProgress
{
    double done = 1;
    /// Elements of the values that this step changes, by rank and name.
    std::map<std::pair<int, QString>, QStringList> before{};

    bool isOver() const { return done >= 1; }
    /// Null: the value is as it was, or has what came already.
    const QStringList* elementsOf(int rank, const QString& value) const;
};

/// What a step moves: a message out of the sender's buffer, on its way and into the receiver's; a
/// chunk; what a rank brings to a collective and what it takes away.
class SceneTravels
{
public:
    struct Travel
    {
        QPainterPath way{};
        QString value{};
        LessonScene::Link::Kind kind = LessonScene::Link::Kind::Message;
    };

    SceneTravels(const LessonScene& scene, const SceneLayout& layout, const LinkLayout& links);

    const std::vector<Travel>& travels() const { return m_travels; }
    /// Where it is when so much of the step has happened.
    static QPointF placeOf(const Travel& travel, double done);
    void paint(QPainter& painter, double done) const;
    /// Whether this link's value moves with the step.
    bool moves(size_t link) const;

    /// A value on its way, wherever it is.
    static void paintValue(QPainter& painter, const SceneType& type, const QPointF& at,
                           const QString& value, LessonScene::Link::Kind kind);

private:
    void addLink(size_t index);
    void addPart(size_t collective, const LessonScene::Collective::Part& part);

    const LessonScene& m_scene;
    const SceneLayout& m_layout;
    const LinkLayout& m_links;
    std::vector<Travel> m_travels;
};

} // namespace ringmaster::app
