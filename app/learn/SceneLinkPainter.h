#pragma once

#include "app/learn/SceneLayout.h"

#include <QCoreApplication>

class QPainter;
class QPainterPath;

namespace ringmaster::app {

/// Draws what goes on between the ranks of a scene: messages, waits, collectives, groups. Lives as
/// long as one drawing.
class SceneLinkPainter
{
    Q_DECLARE_TR_FUNCTIONS(SceneLinkPainter)

public:
    /// What a label mustn't hide: boxes, and labels that are there already.
    using Taken = std::vector<QRectF>;

    SceneLinkPainter(const LessonScene& scene, const SceneLayout& layout);

    void paintGroups(QPainter& painter) const;
    void paintBadges(QPainter& painter) const;
    QRectF boxOf(const QPainter& painter, const LessonScene::Collective& collective, int row) const;
    void paintCollective(QPainter& painter, const LessonScene::Collective& collective,
                         const QRectF& box, bool hasWays) const;
    /// `box` by value: it may be one of `taken`, which grows here.
    void paintParts(QPainter& painter, const LessonScene::Collective& collective, QRectF box,
                    Taken& taken) const;
    void paintLink(QPainter& painter, const LessonScene::Link& link) const;
    void paintLabel(QPainter& painter, const LessonScene::Link& link, Taken& taken) const;

private:
    void paintWay(QPainter& painter, const LessonScene::Collective& collective, const QRectF& box,
                  int rank) const;
    QPointF bendOf(const LessonScene::Link& link) const;
    QPainterPath pathOf(const LessonScene::Link& link) const;
    const LessonScene::Link* partnerOf(const LessonScene::Link& link) const;
    QStringList linesOf(const LessonScene::Link& link) const;
    void paintNote(QPainter& painter, const QStringList& lines, const StateLook& look,
                   const QPainterPath& along, Taken& taken) const;

    const LessonScene& m_scene;
    const SceneLayout& m_layout;
    QRectF m_area;
    double m_scale;
};

} // namespace ringmaster::app
