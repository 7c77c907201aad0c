#pragma once

#include "app/learn/LessonScene.h"

#include <QFont>
#include <QRectF>

class QPainter;

namespace ringmaster::app {

/// Puts a scene on a surface of any kind. Lives as long as one drawing.
class ScenePainter
{
public:
    ScenePainter(const LessonScene& scene, const QRectF& area, double scale);

    QRectF boxOf(int rank) const;
    void paint(QPainter& painter, int selectedRank) const;

private:
    void paintMeeting(QPainter& painter, const LessonScene::Meeting& meeting, int row) const;
    QPointF bendOf(const LessonScene::Link& link) const;
    void paintLink(QPainter& painter, const LessonScene::Link& link) const;
    void paintLabel(QPainter& painter, const LessonScene::Link& link) const;
    void paintRank(QPainter& painter, const LessonScene::Rank& rank, bool isSelected) const;
    void paintHead(QPainter& painter, const LessonScene::Rank& rank, const QRectF& box) const;
    void paintValues(QPainter& painter, const LessonScene::Rank& rank, const QRectF& area) const;
    double paintTensor(QPainter& painter, const LessonScene::Value& value, int rank,
                       const QRectF& line) const;
    QFont fontOf(double pixels, bool isBold = false) const;
    QFont monospace(double pixels) const;

    const LessonScene& m_scene;
    QRectF m_area;
    double m_scale;
    QSizeF m_box;
};

} // namespace ringmaster::app
