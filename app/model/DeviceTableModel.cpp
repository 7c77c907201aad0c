#include "app/model/DeviceTableModel.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// Where the values of one moment are; they have no words yet.
struct DevicePoint
{
    double atNs = 0;
    size_t place = 0; ///< of the track, among all
    const DeviceRow* row = nullptr;
    const DeviceTrack* track = nullptr;
    size_t index = 0;

    bool operator<(const DevicePoint& other) const
    {
        return atNs != other.atNs ? atNs > other.atNs : place < other.place;
    }
};

/// Leaves as many as are shown, in no order, and says when the oldest of them was.
double keepNewest(std::vector<DevicePoint>& points)
{
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(DeviceTableModel::MostRows - 1);
    std::nth_element(points.begin(), last, points.end());
    points.erase(last + 1, points.end());
    return points.back().atNs;
}

/// Those that are shown: words for all of a long run would take seconds.
std::vector<DevicePoint> newestPoints(const std::vector<const DeviceRow*>& rows,
                                      const TimeSpan::Range& range)
{
    constexpr size_t Most = DeviceTableModel::MostRows;
    auto from = static_cast<double>(range.from);
    std::vector<DevicePoint> points;
    size_t place = 0;
    for (const DeviceRow* row : rows) {
        for (const DeviceTrack& track : row->tracks) {
            const std::vector<QPointF>& line = track.lines.front();
            const auto end =
                std::ranges::upper_bound(line, static_cast<double>(range.to), {}, &QPointF::x);
            for (auto index = static_cast<size_t>(end - line.begin()); index > 0; --index) {
                const double at = line[index - 1].x();
                if (at < from)
                    break;
                points.push_back({at, place, row, &track, index - 1});
            }
            ++place;
            if (points.size() >= 2 * Most)
                from = std::max(from, keepNewest(points));
        }
    }
    if (points.size() > Most)
        keepNewest(points);
    std::sort(points.begin(), points.end());
    return points;
}

} // namespace

DeviceTableModel::DeviceTableModel(const TimeSpan& span, QObject* parent)
    : RowsModel(parent), m_span(span)
{
    setColumns({
        {.title = QT_TR_NOOP("At"),
         .text = [this](const DeviceMoment& row) { return clockText(row.atNs - m_span.begin()); }},
        {.title = QT_TR_NOOP("Device"), .text = &DeviceMoment::device},
        {.title = QT_TR_NOOP("Quantity"), .text = &DeviceMoment::quantity},
        {.title = QT_TR_NOOP("Value"), .text = &DeviceMoment::value},
    });
}

void DeviceTableModel::show(const std::vector<const DeviceRow*>& rows)
{
    std::vector<DeviceMoment> moments;
    for (const DevicePoint& point : newestPoints(rows, m_span.shown())) {
        std::vector<double> values;
        for (const auto& line : point.track->lines)
            values.push_back(line[point.index].y());
        moments.push_back({static_cast<std::int64_t>(point.atNs), point.row->name,
                           quantityName(point.track->quantity), trackText(*point.track, values)});
    }
    setRows(std::move(moments));
}

} // namespace ringmaster::app
