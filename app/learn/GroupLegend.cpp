#include "app/learn/GroupLegend.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr size_t MostGroups = 6;
constexpr double MostOfTheArea = 0.25;
constexpr double BetweenEntries = 18;
constexpr double BelowBadges = 11; ///< They stand on the lower edges of the boxes.

} // namespace

GroupLegend::GroupLegend(const LessonScene& scene, const QRectF& area, const SceneType& type)
{
    if (scene.groups.empty())
        return;
    const QFontMetricsF metrics(font(type));
    const double rowHeight = metrics.height() + 2;
    const double above = BelowBadges * type.scale();
    const int rows =
        std::max(1, static_cast<int>((MostOfTheArea * area.height() - above) / rowHeight));
    double left = 0;
    int row = 0;
    for (size_t i = 0; i < std::min(scene.groups.size(), MostGroups); ++i) {
        const LessonScene::Group& group = scene.groups[i];
        const QString text =
            tr("◆ %1: ranks %2, line %3").arg(group.name, ranksText(group.members)).arg(group.line);
        const double width = metrics.horizontalAdvance(text);
        if (left > 0 && left + width > area.width()) {
            left = 0;
            ++row;
        }
        if (row == rows)
            break;
        m_entries.push_back({i, text, {left, row * rowHeight, width, rowHeight}});
        left += width + BetweenEntries * type.scale();
    }
    const double height = m_entries.back().place.bottom();
    for (Entry& entry : m_entries)
        entry.place.translate(area.left(), area.bottom() - height);
    m_height = height + above;
}

} // namespace ringmaster::app
