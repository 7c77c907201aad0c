#include "app/model/DeviceTableModel.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

DeviceTableModel::DeviceTableModel(const TimeSpan& span, QObject* parent)
    : RowsModel(parent), m_span(span)
{
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

int DeviceTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeviceTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole)
        return {};
    const DeviceMoment& row = rowAt(index);
    switch (index.column()) {
    case At: return clockText(row.atNs - m_span.begin());
    case Device: return row.device;
    case Quantity: return row.quantity;
    case Value: return row.value;
    default: return {};
    }
}

QVariant DeviceTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case At: return tr("At");
    case Device: return tr("Device");
    case Quantity: return tr("Quantity");
    case Value: return tr("Value");
    default: return {};
    }
}

} // namespace ringmaster::app
