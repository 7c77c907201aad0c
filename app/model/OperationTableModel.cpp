#include "app/model/OperationTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::app {

using diagnose::BandwidthRow;

namespace {

auto keyOf(const BandwidthRow& row)
{
    return std::tie(row.kind, row.type, row.group, row.bucket, row.backend, row.algorithm);
}

int ranksOf(const BandwidthRow& row)
{
    return static_cast<int>(row.group.members.size());
}

double meanBytes(const BandwidthRow& row)
{
    return row.count > 0 ? static_cast<double>(row.bytes) / static_cast<double>(row.count) : 0;
}

std::int64_t waitingNs(const BandwidthRow& row)
{
    return std::max<std::int64_t>(0, row.insideNs - row.transferNs);
}

/// "ring, tree": torch's words, and the ring's.
QString wayText(const BandwidthRow& row)
{
    const std::string way = ledger::wayText(row.backend, row.algorithm);
    return way.empty() ? QStringLiteral("–") : QString::fromStdString(way);
}

QString none()
{
    return QStringLiteral("–");
}

} // namespace

void OperationTableModel::show(const OperationSummary& summary)
{
    std::vector<BandwidthRow> rows = summary.rows;
    if (rows.size() > MostRows)
        rows.resize(MostRows);
    replace(rows);
}

void OperationTableModel::replace(const std::vector<BandwidthRow>& rows)
{
    const auto find = [](const std::vector<BandwidthRow>& among, const BandwidthRow& wanted) {
        return std::ranges::find_if(
            among, [&](const BandwidthRow& row) { return keyOf(row) == keyOf(wanted); });
    };
    for (int row = rowCount() - 1; row >= 0; --row) {
        const auto at = m_rows.begin() + row;
        if (find(rows, *at) != rows.end())
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(at);
        endRemoveRows();
    }
    for (const BandwidthRow& row : rows) {
        const auto at = find(m_rows, row) - m_rows.begin();
        const auto position = static_cast<int>(at);
        if (position == rowCount()) {
            beginInsertRows({}, position, position);
            m_rows.push_back(row);
            endInsertRows();
            continue;
        }
        m_rows[static_cast<size_t>(at)] = row;
    }
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int OperationTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OperationTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OperationTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const BandwidthRow& row = m_rows[static_cast<size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return textOf(row, column);
    case Qt::ToolTipRole: return toolTipOf(row, column);
    case Qt::TextAlignmentRole:
        return column == Kind || column >= Type ? QVariant()
                                                : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case SortRole: return sortKeyOf(row, column);
    case KindRole: return static_cast<int>(row.kind);
    case LookRole: return operationLook(row.kind);
    case ShareRole: return row.share;
    case TransferRole:
        return row.isWire && row.insideNs > 0
                   ? static_cast<double>(row.transferNs) / static_cast<double>(row.insideNs)
                   : -1.0;
    default: return {};
    }
}

QString OperationTableModel::textOf(const BandwidthRow& row, int column)
{
    const std::string_view type = ledger::nameOf(row.type);
    const bool hasData = ledger::busFactor(row.kind, 2) > 0 && row.transferNs > 0;
    switch (column) {
    case Kind: return operationName(row.kind);
    case Size: return hasData ? sizeText(meanBytes(row)) : none();
    case Count: return countText(row.count);
    case AlgorithmBandwidth: return hasData ? bandwidthText(row.algorithmBandwidth()) : none();
    case BusBandwidth: return hasData ? bandwidthText(row.busBandwidth()) : none();
    case Share: return percentText(row.share);
    case Inside: return preciseDurationText(row.insideNs);
    case Transfer: return row.isWire ? preciseDurationText(row.transferNs) : none();
    case Waiting: return row.isWire ? preciseDurationText(waitingNs(row)) : none();
    case Type: return QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size()));
    case Backend: return wayText(row);
    case Group: return groupText(row.group);
    default: return {};
    }
}

QVariant OperationTableModel::sortKeyOf(const BandwidthRow& row, int column)
{
    switch (column) {
    case Size: return meanBytes(row);
    case Count: return QVariant::fromValue(static_cast<qulonglong>(row.count));
    case AlgorithmBandwidth: return row.algorithmBandwidth();
    case BusBandwidth: return row.busBandwidth();
    case Share:
    case Inside: return QVariant::fromValue(static_cast<qlonglong>(row.insideNs));
    case Transfer: return QVariant::fromValue(static_cast<qlonglong>(row.transferNs));
    case Waiting: return QVariant::fromValue(static_cast<qlonglong>(waitingNs(row)));
    default: return textOf(row, column);
    }
}

QString OperationTableModel::toolTipOf(const BandwidthRow& row, int column)
{
    switch (column) {
    case Size:
        return tr("From %1 to below %2; the mean is shown.")
            .arg(sizeText(static_cast<double>(row.bucket)),
                 sizeText(2 * static_cast<double>(row.bucket)));
    case AlgorithmBandwidth: return tr("Bytes over time. %1").arg(timeSourceText(row));
    case BusBandwidth: return busFormulaText(row.kind, ranksOf(row));
    case Share: return tr("Time inside, of the time between the first call and the last end.");
    case Inside: return tr("Mean over the ranks of the time in these operations.");
    case Transfer:
        return row.isWire
                   ? tr("%1 Half of them took at most %2, 99 of 100 at most %3.")
                         .arg(timeSourceText(row), preciseDurationText(row.transfers.quantile(0.5)),
                              preciseDurationText(row.transfers.quantile(0.99)))
                   : timeSourceText(row);
    case Waiting: return timeSourceText(row);
    case Backend:
        return row.backend == ledger::Backend::Unknown
                   ? tr("The record doesn't say which backend carried them out.")
                   : tr("What carried them out, and the algorithm where it is known.");
    case Group: return tr("%1: %2").arg(groupText(row.group), ranksText(row.group.members));
    default: return textOf(row, column);
    }
}

QVariant OperationTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section != Kind &&
        section < Type)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Kind: return tr("Operation");
    case Size: return tr("Size");
    case Count: return tr("Count");
    case AlgorithmBandwidth: return QStringLiteral("algbw");
    case BusBandwidth: return QStringLiteral("busbw");
    case Share: return tr("Share");
    case Inside: return tr("Time inside");
    case Transfer: return tr("Transfer");
    case Waiting: return tr("Waiting");
    case Type: return tr("Type");
    case Backend: return tr("Backend");
    case Group: return tr("Group");
    default: return {};
    }
}

} // namespace ringmaster::app
