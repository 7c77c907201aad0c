#pragma once

#include "app/learn/LinkLayout.h"

#include <QCoreApplication>
#include <QFontMetricsF>

namespace ringmaster::app {

/// Where labels say what goes on between the ranks of a scene: each as near to its arrow or its
/// rank as there is room, over no box, no hub and no other label. One that has no place is left
/// out: the table has it.
class LabelLayout
{
    Q_DECLARE_TR_FUNCTIONS(LabelLayout)

public:
    struct Label
    {
        int link = -1;       ///< Of the scene's links, or else:
        int collective = -1; ///< … of its collectives,
        int rank = -1;       ///< … what this one gives or gets.
        QStringList lines{};
        QRectF place{};
    };

    LabelLayout(const LessonScene& scene, const SceneLayout& layout, const LinkLayout& links);

    const std::vector<Label>& all() const { return m_labels; }
    /// Labels for which there is no room.
    int leftOut() const { return m_leftOut; }

private:
    void placeLabels();
    void addLabel(Label label, const QPointF& at);
    QStringList wrapped(const QStringList& lines, double most, bool withinLists = false) const;
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
    const LinkLayout& m_links;
    QFontMetricsF m_metrics;
    std::vector<QRectF> m_taken;
    /// Points of each link's way, and of those to the hubs.
    std::vector<std::pair<Label, std::vector<QPointF>>> m_traces;
    std::vector<Label> m_labels;
    int m_leftOut = 0;
};

} // namespace ringmaster::app
