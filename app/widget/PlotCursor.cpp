#include "app/widget/PlotCursor.h"

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

void PlotCursor::pointAt(double fraction, const PlotAxis& horizontal)
{
    m_at = horizontal.valueAt(fraction);
}

bool PlotCursor::step(int by, const PlotSeries& line, const PlotAxis& horizontal)
{
    std::vector<double> places;
    for (const QPointF& point : line.points) {
        const double fraction = horizontal.fractionOf(point.x());
        if (fraction >= 0 && fraction <= 1)
            places.push_back(point.x());
    }
    if (places.empty())
        return false;
    const auto last = static_cast<int>(places.size()) - 1;
    int at = by > 0 ? 0 : last;
    if (m_at) {
        const double x = *m_at;
        const auto near =
            std::ranges::min_element(places, {}, [x](double place) { return std::abs(place - x); });
        at = static_cast<int>(near - places.begin()) + std::clamp(by, -last - 1, last + 1);
    }
    m_at = places[static_cast<size_t>(std::clamp(at, 0, last))];
    return true;
}

} // namespace ringmaster::app
