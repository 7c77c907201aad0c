#pragma once

#include "app/learn/SceneLayout.h"

#include <QCoreApplication>
#include <QLineF>
#include <QPainterPath>

namespace ringmaster::app {

/// Where what goes on between the ranks of a scene is drawn: the ways of messages and waits, the
/// hubs of collectives, and labels, which hide no box, no hub and no other label. One that has no
/// place is left out: the table has it.
class LinkLayout
{
    Q_DECLARE_TR_FUNCTIONS(LinkLayout)

public:
    struct Label
    {
        int link = -1;       ///< Of the scene's links, or else:
        int collective = -1; ///< … of its collectives,
        int rank = -1;       ///< … what this one gives or gets.
        QStringList lines{};
        QRectF place{};
    };

    LinkLayout(const LessonScene& scene, const SceneLayout& layout);

    /// Empty: nothing is drawn of it.
    const QPainterPath& pathOf(size_t link) const { return m_paths[link]; }
    QRectF hubOf(size_t collective) const { return m_hubs[collective]; }
    /// Between a rank's box and the hub.
    QLineF wayOf(size_t collective, int rank) const;
    /// A message on its way stands here.
    QPointF placeOf(size_t link, double way) const;
    /// Of what stands on its way.
    static QSizeF tokenSize(const SceneType& type, const QString& value);
    const std::vector<Label>& labels() const { return m_labels; }
    /// Labels for which there is no room.
    int leftOut() const { return m_leftOut; }
    /// What is told of a collective's inside says more than who is in it.
    bool hasChunks() const { return m_hasChunks; }

private:
    QPainterPath wayFor(size_t link) const;
    QPointF insideOf(int rank, double aside) const;
    double asideOf(size_t link) const;
    void placeHubs();
    void placeLabels();
    void addLabel(Label label, const QPointF& at);
    QStringList wrapped(const QStringList& lines, double most) const;
    QRectF freePlace(const Label& label, const QSizeF& size, const QPointF& at) const;
    bool isFree(const QRectF& place) const;
    /// How many others' ways it would hide a part of.
    int hiddenWays(const Label& label, const QRectF& place) const;
    bool isAtItsRank(const Label& label, const QPointF& middle) const;
    void traceWays();
    const LessonScene::Link* partnerOf(const LessonScene::Link& link) const;
    QStringList linesOf(const LessonScene::Link& link) const;

    const LessonScene& m_scene;
    const SceneLayout& m_layout;
    QFontMetricsF m_metrics;
    bool m_hasChunks = false;
    std::vector<QPainterPath> m_paths;
    std::vector<QRectF> m_hubs;
    std::vector<QRectF> m_taken;
    /// Points of each link's way, and of those to the hubs.
    std::vector<std::pair<Label, std::vector<QPointF>>> m_traces;
    std::vector<Label> m_labels;
    int m_leftOut = 0;
};

} // namespace ringmaster::app
