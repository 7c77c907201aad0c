#pragma once

#include "app/learn/LessonScene.h"
#include "app/learn/SceneType.h"

#include <QCoreApplication>
#include <QRectF>

#include <vector>

namespace ringmaster::app {

/// What the badges of a scene's groups mean: in rows below the boxes, beside each other where there
/// is room.
class GroupLegend
{
    Q_DECLARE_TR_FUNCTIONS(GroupLegend)

public:
    struct Entry
    {
        size_t group = 0;
        QString text{};
        QRectF place{};
    };

    GroupLegend() = default;
    /// At the bottom of `area`. Of many groups, or in a low area, the first alone.
    GroupLegend(const LessonScene& scene, const QRectF& area, const SceneType& type);

    const std::vector<Entry>& entries() const { return m_entries; }
    /// With what the badges at the boxes above need; 0: there is none.
    double height() const { return m_height; }
    static QFont font(const SceneType& type) { return type.plain(10.5, true); }

private:
    std::vector<Entry> m_entries;
    double m_height = 0;
};

} // namespace ringmaster::app
