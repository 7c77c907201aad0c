#include "app/model/ArrivalTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// "0 +0.00 µs, 1 +3.20 ms"
QString arrivalsText(const OperationSummary::Collective& collective)
{
    constexpr size_t Most = 64;
    const std::int64_t first = collective.first().enteredNs;
    QStringList parts;
    for (const OperationSummary::Arrival& arrival : collective.arrivals) {
        if (static_cast<size_t>(parts.size()) == Most)
            break;
        parts << QStringLiteral("%1 +%2")
                     .arg(arrival.rank)
                     .arg(preciseDurationText(arrival.enteredNs - first));
    }
    if (collective.arrivals.size() > Most)
        parts << QStringLiteral("…");
    return parts.join(QStringLiteral(", "));
}

/// "41 ms", "41 ms ± 0.3 ms"
QString skewText(const OperationSummary::Collective& collective, const RankClocks& clocks)
{
    const std::int64_t error = clocks.errorNs(collective.last().rank, collective.first().rank,
                                              collective.last().enteredNs);
    const QString skew = preciseDurationText(collective.skewNs());
    return error == 0 ? skew : QStringLiteral("%1 ± %2").arg(skew, preciseDurationText(error));
}

} // namespace

QString latenessText(const OperationSummary::Collective& collective, const RankClocks& clocks)
{
    if (!clocks.isCertain(collective))
        return ArrivalTableModel::tr("%1 #%2: within %3 of each other, and the clocks of their "
                                     "hosts are compared to ± %4: who came last isn't sure")
            .arg(operationName(collective.kind), QString::number(collective.number),
                 preciseDurationText(collective.skewNs()),
                 preciseDurationText(clocks.errorNs(collective)));
    return ArrivalTableModel::tr("%1 #%2: %3 came %4 after %5")
        .arg(operationName(collective.kind), QString::number(collective.number),
             rankText(collective.last().rank), skewText(collective, clocks),
             rankText(collective.first().rank));
}

void ArrivalTableModel::show(std::vector<OperationSummary::Collective> collectives,
                             RankClocks clocks)
{
    m_clocks = std::move(clocks);
    std::ranges::reverse(collectives);
    setRows(std::move(collectives));
}

int ArrivalTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ArrivalTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const OperationSummary::Collective& collective = rowAt(index);
    if (role == LastRankRole)
        return collective.last().rank;
    if (role == Qt::ToolTipRole)
        return latenessText(collective, m_clocks);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Number: return QStringLiteral("#%1").arg(collective.number);
    case Kind: return operationName(collective.kind);
    case Size: return sizeText(static_cast<double>(collective.bytes));
    case Last:
        return m_clocks.isCertain(collective) ? rankText(collective.last().rank) : tr("not sure");
    case Skew: return skewText(collective, m_clocks);
    case Arrivals: return arrivalsText(collective);
    default: return {};
    }
}

QVariant ArrivalTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Number: return tr("Number");
    case Kind: return tr("Operation");
    case Size: return tr("Size");
    case Last: return tr("Last to come");
    case Skew: return tr("Skew");
    case Arrivals: return tr("Each rank, after the first");
    default: return {};
    }
}

} // namespace ringmaster::app
