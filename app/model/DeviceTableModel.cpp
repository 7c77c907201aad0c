#include "app/model/DeviceTableModel.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

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

void DeviceTableModel::show(const std::vector<DeviceRow>& rows)
{
    const TimeSpan::Range range = m_span.shown();
    std::vector<DeviceMoment> moments;
    for (const DeviceRow& row : rows) {
        for (const DeviceTrack& track : row.tracks) {
            for (size_t i = 0; i < track.lines.front().size(); ++i) {
                const auto at = static_cast<std::int64_t>(track.lines.front()[i].x());
                if (at < range.from || at > range.to)
                    continue;
                std::vector<double> values;
                for (const auto& line : track.lines)
                    values.push_back(line[i].y());
                moments.push_back(
                    {at, row.name, quantityName(track.quantity), trackText(track, values)});
            }
        }
    }
    std::ranges::stable_sort(moments, std::ranges::greater(), &DeviceMoment::atNs);
    if (moments.size() > MostRows)
        moments.resize(MostRows);
    setRows(std::move(moments));
}

} // namespace ringmaster::app
