#pragma once

#include "app/learn/LessonScene.h"

#include <QFont>
#include <QRectF>

namespace ringmaster::app {

/// Where the ranks of a scene are on a surface, and how large its type is.
class SceneLayout
{
public:
    SceneLayout(const LessonScene& scene, const QRectF& area, double scale);

    const QRectF& area() const { return m_area; }
    double scale() const { return m_scale; }
    /// Of each rank.
    QSizeF boxSize() const { return m_box; }
    /// Empty: there is no such rank.
    QRectF boxOf(int rank) const;
    /// -1: none.
    int rankAt(const QPointF& point) const;
    QFont fontOf(double pixels, bool isBold = false) const;
    QFont monospace(double pixels) const;

private:
    int m_count;
    QRectF m_area;
    double m_scale;
    QSizeF m_box;
};

} // namespace ringmaster::app
