#pragma once

#include "app/widget/PlotSeries.h"

#include <optional>
#include <vector>

namespace ringmaster::app {

/// Where the cross-hair of a plot is: under the mouse, or on a point of a line that the keys step
/// along. Pure.
class PlotCursor
{
public:
    static constexpr int All = 1 << 20; ///< More points than a line has.

    void clear() { m_at.reset(); }
    /// `fraction` of the axis.
    void pointAt(double fraction, const PlotAxis& horizontal);
    /// So many points on along the line; to its first or its last where it wasn't anywhere. False:
    /// the line has no point on the axis.
    bool step(int by, const PlotSeries& line, const PlotAxis& horizontal);

    /// On the horizontal axis; nothing: it isn't there.
    const std::optional<double>& at() const { return m_at; }

private:
    std::optional<double> m_at;
};

} // namespace ringmaster::app
