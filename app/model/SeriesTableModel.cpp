#include "app/model/SeriesTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <algorithm>

namespace ringmaster::app {

SeriesTableModel::SeriesTableModel(const RunModel& run, QObject* parent)
    : RowsModel(parent), m_run(run)
{
}

void SeriesTableModel::show(const OperationSummary& summary)
{
    std::vector<SeriesRow> rows;
    for (const OperationSummary::Series& series : summary.series) {
        for (const OperationSummary::Point& point : series.points)
            rows.push_back({series.kind, point});
    }
    std::ranges::stable_sort(rows, {}, [](const SeriesRow& row) { return row.point.fromNs; });
    setRows(std::move(rows));
}

int SeriesTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SeriesTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SeriesRow& row = rowAt(index);
    if (role == KindRole)
        return static_cast<int>(row.kind);
    if (role == Qt::TextAlignmentRole && index.column() >= Count)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case From: return clockText(row.point.fromNs - m_run.history().begin().monotonicNs);
    case Kind: return operationName(row.kind);
    case Count: return countText(row.point.count);
    case Bytes: return sizeText(row.point.bytes);
    case BusBandwidth: return bandwidthText(row.point.busBandwidth());
    default: return {};
    }
}

QVariant SeriesTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section >= Count)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case From: return tr("From");
    case Kind: return tr("Operation");
    case Count: return tr("Count");
    case Bytes: return tr("Bytes");
    case BusBandwidth: return QStringLiteral("busbw");
    default: return {};
    }
}

} // namespace ringmaster::app
