#include "app/learn/SceneLayout.h"

#include "app/widget/Theme.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ringmaster::app {

SceneLayout::SceneLayout(const LessonScene& scene, const QRectF& area, double scale)
    : m_count(static_cast<int>(scene.ranks.size()))
    , m_area(area.adjusted(6, 6, -6, -6))
    , m_scale(scale)
{
    const auto count = static_cast<double>(m_count);
    const double widest = count <= 2 ? 0.42 : count <= 4 ? 0.34 : 0.265;
    const double highest = count <= 2 ? 0.62 : count <= 4 ? 0.27 : 0.225;
    m_box = {std::min(m_area.width() * widest, 250 * scale),
             std::min(m_area.height() * highest, 130 * scale)};
    if (count <= 4)
        return;
    // The one at the top and its neighbours stand beside each other.
    constexpr double Gap = 8;
    const double apart = std::sin(2 * std::numbers::pi / count) / 2;
    m_box.setWidth(std::min(m_box.width(), (m_area.width() * apart - Gap) / (1 + apart)));
}

QRectF SceneLayout::boxOf(int rank) const
{
    const auto count = static_cast<double>(m_count);
    if (rank < 0 || rank >= m_count)
        return {};
    // Two stand side by side, more begin at the top; all alike, none in the middle.
    const double first = m_count == 2 ? std::numbers::pi : -std::numbers::pi / 2;
    const double angle = first + 2 * std::numbers::pi * rank / count;
    const QPointF middle =
        m_area.center() + QPointF(std::cos(angle) * (m_area.width() - m_box.width()) / 2,
                                  std::sin(angle) * (m_area.height() - m_box.height()) / 2);
    return {middle.x() - m_box.width() / 2, middle.y() - m_box.height() / 2, m_box.width(),
            m_box.height()};
}

int SceneLayout::rankAt(const QPointF& point) const
{
    for (int rank = 0; rank < m_count; ++rank) {
        if (boxOf(rank).contains(point))
            return rank;
    }
    return -1;
}

QFont SceneLayout::fontOf(double pixels, bool isBold) const
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    font.setBold(isBold);
    return font;
}

QFont SceneLayout::monospace(double pixels) const
{
    QFont font = monospaceFont();
    font.setPixelSize(static_cast<int>(pixels * m_scale));
    return font;
}

} // namespace ringmaster::app
