#pragma once

#include "app/learn/SceneLayout.h"

#include <QLineF>
#include <QPainterPath>

namespace ringmaster::app {

/// Where what goes on between the ranks of a scene is drawn: the ways of messages and waits, and
/// the hubs of collectives.
class LinkLayout
{
public:
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
    /// What is told of a collective's inside says more than who is in it.
    bool hasChunks() const { return m_hasChunks; }

private:
    QPainterPath wayFor(size_t link) const;
    QPointF insideOf(int rank, double aside) const;
    double asideOf(size_t link) const;
    void placeHubs();

    const LessonScene& m_scene;
    const SceneLayout& m_layout;
    bool m_hasChunks = false;
    std::vector<QPainterPath> m_paths;
    std::vector<QRectF> m_hubs;
};

} // namespace ringmaster::app
