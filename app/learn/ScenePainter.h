#pragma once

#include "app/learn/LessonScene.h"

#include <QCoreApplication>
#include <QFont>
#include <QRectF>

class QPainter;
class QPainterPath;

namespace ringmaster::app {

/// Puts a scene on a surface of any kind. Lives as long as one drawing.
class ScenePainter
{
    Q_DECLARE_TR_FUNCTIONS(ScenePainter)

public:
    ScenePainter(const LessonScene& scene, const QRectF& area, double scale);

    QRectF boxOf(int rank) const;
    void paint(QPainter& painter, int selectedRank) const;

private:
    /// What a label mustn't hide: boxes, and labels that are there already.
    using Taken = std::vector<QRectF>;

    // ScenePainter.cpp
    void paintRank(QPainter& painter, const LessonScene::Rank& rank, bool isSelected) const;
    void paintHead(QPainter& painter, const LessonScene::Rank& rank, const QRectF& box) const;
    void paintValues(QPainter& painter, const LessonScene::Rank& rank, const QRectF& area) const;
    struct Cells;
    Cells cellsOf(const QPainter& painter, const LessonScene::Value& value, const QRectF& line,
                  double nameWidth) const;
    double paintTensor(QPainter& painter, const LessonScene::Value& value, int rank,
                       const QRectF& line) const;
    QFont fontOf(double pixels, bool isBold = false) const;
    QFont monospace(double pixels) const;

    // SceneLinks.cpp
    void paintGroups(QPainter& painter) const;
    void paintBadges(QPainter& painter) const;
    QRectF boxOf(const QPainter& painter, const LessonScene::Collective& collective, int row) const;
    void paintCollective(QPainter& painter, const LessonScene::Collective& collective,
                         const QRectF& box, bool hasWays) const;
    void paintWay(QPainter& painter, const LessonScene::Collective& collective, const QRectF& box,
                  int rank) const;
    /// `box` by value: it may be one of `taken`, which grows here.
    void paintParts(QPainter& painter, const LessonScene::Collective& collective, QRectF box,
                    Taken& taken) const;
    QPointF bendOf(const LessonScene::Link& link) const;
    QPainterPath pathOf(const LessonScene::Link& link) const;
    void paintLink(QPainter& painter, const LessonScene::Link& link) const;
    void paintLabel(QPainter& painter, const LessonScene::Link& link, Taken& taken) const;
    const LessonScene::Link* partnerOf(const LessonScene::Link& link) const;
    QStringList linesOf(const LessonScene::Link& link) const;
    void paintNote(QPainter& painter, const QStringList& lines, const StateLook& look,
                   const QPainterPath& along, Taken& taken) const;

    const LessonScene& m_scene;
    QRectF m_area;
    double m_scale;
    QSizeF m_box;
};

} // namespace ringmaster::app
