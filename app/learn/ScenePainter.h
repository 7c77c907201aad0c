#pragma once

#include "app/learn/SceneLayout.h"

#include <QCoreApplication>

class QPainter;

namespace ringmaster::app {

/// Puts a scene on a surface of any kind: the ranks, and with SceneLinkPainter what goes on between
/// them. Lives as long as one drawing.
class ScenePainter
{
    Q_DECLARE_TR_FUNCTIONS(ScenePainter)

public:
    ScenePainter(const LessonScene& scene, const QRectF& area, double scale);

    void paint(QPainter& painter, int selectedRank) const;

private:
    void paintRank(QPainter& painter, const LessonScene::Rank& rank, bool isSelected) const;
    void paintHead(QPainter& painter, const LessonScene::Rank& rank, const QRectF& box) const;
    void paintValues(QPainter& painter, const LessonScene::Rank& rank, const QRectF& area) const;
    struct Cells;
    Cells cellsOf(const QPainter& painter, const LessonScene::Value& value, const QRectF& line,
                  double nameWidth) const;
    double paintTensor(QPainter& painter, const LessonScene::Value& value, int rank,
                       const QRectF& line) const;

    const LessonScene& m_scene;
    SceneLayout m_layout;
    double m_scale;
};

} // namespace ringmaster::app
