#pragma once

#include "app/learn/LabelLayout.h"
#include "app/learn/SceneTravels.h"

#include <QCoreApplication>

class QPainter;

namespace ringmaster::app {

/// Draws what goes on between the ranks of a scene: messages, waits, collectives, groups. Lives as
/// long as one drawing.
class SceneLinkPainter
{
    Q_DECLARE_TR_FUNCTIONS(SceneLinkPainter)

public:
    SceneLinkPainter(const LessonScene& scene, const SceneLayout& layout, const LinkLayout& links);

    void paintGroups(QPainter& painter) const;
    void paintBadges(QPainter& painter) const;
    void paintWays(QPainter& painter, size_t collective) const;
    void paintHub(QPainter& painter, size_t collective) const;
    /// With its value, where that stands on its way.
    void paintLink(QPainter& painter, size_t link, bool isMoving) const;
    void paintLabel(QPainter& painter, const LabelLayout::Label& label) const;

private:
    void paintWay(QPainter& painter, const LessonScene::Collective& collective, const QLineF& way,
                  int rank) const;

    const LessonScene& m_scene;
    const SceneLayout& m_layout;
    const LinkLayout& m_links;
    double m_scale;
};

} // namespace ringmaster::app
