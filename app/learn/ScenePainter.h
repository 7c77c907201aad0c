#pragma once

#include "app/learn/LabelLayout.h"
#include "app/learn/SceneTravels.h"

#include <QCoreApplication>

class QPainter;

namespace ringmaster::app {

/// Puts a scene on a surface of any kind: the ranks, with SceneLinkPainter what goes on between
/// them, and with SceneTravels what the step moves. The scene outlives it.
class ScenePainter
{
    Q_DECLARE_TR_FUNCTIONS(ScenePainter)

public:
    ScenePainter(const LessonScene& scene, const QRectF& area, const SceneLayout::Setting& setting);
    ScenePainter(const ScenePainter&) = delete; // Its parts refer to each other.
    ScenePainter& operator=(const ScenePainter&) = delete;

    const SceneLayout& layout() const { return m_layout; }
    const LinkLayout& links() const { return m_links; }
    const LabelLayout& labels() const { return m_labels; }
    const SceneTravels& travels() const { return m_travels; }

    void paint(QPainter& painter, int selectedRank, const SceneProgress& progress) const;

private:
    void paintRank(QPainter& painter, const LessonScene::Rank& rank, bool isSelected,
                   const SceneProgress& progress) const;
    void paintHead(QPainter& painter, const LessonScene::Rank& rank, const QRectF& line) const;
    void paintLine(QPainter& painter, const LessonScene::Rank& rank, const ValueLines::Line& line,
                   const QRectF& place, const SceneProgress& progress) const;
    void paintCell(QPainter& painter, const LessonScene::Rank& rank, const ValueLines::Cell& cell,
                   const QPointF& corner, const SceneProgress& progress) const;
    void paintMore(QPainter& painter, const SceneLayout::Box& box) const;

    const LessonScene& m_scene;
    SceneLayout m_layout;
    LinkLayout m_links;
    LabelLayout m_labels;
    SceneTravels m_travels;
};

} // namespace ringmaster::app
