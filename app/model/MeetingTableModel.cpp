#include "app/model/MeetingTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// "0 +0.00 µs, 1 +3.20 ms"
QString arrivalsText(const OperationSummary::Meeting& meeting)
{
    constexpr size_t Most = 64;
    const std::int64_t first = meeting.first().enteredNs;
    QStringList parts;
    for (const OperationSummary::Arrival& arrival : meeting.arrivals) {
        if (static_cast<size_t>(parts.size()) == Most)
            break;
        parts << QStringLiteral("%1 +%2")
                     .arg(arrival.rank)
                     .arg(preciseDurationText(arrival.enteredNs - first));
    }
    if (meeting.arrivals.size() > Most)
        parts << QStringLiteral("…");
    return parts.join(QStringLiteral(", "));
}

/// "41 ms", "41 ms ± 0.3 ms"
QString skewText(const OperationSummary::Meeting& meeting, const RankClocks& clocks)
{
    const std::int64_t error =
        clocks.errorNs(meeting.last().rank, meeting.first().rank, meeting.last().enteredNs);
    const QString skew = preciseDurationText(meeting.skewNs());
    return error == 0 ? skew : QStringLiteral("%1 ± %2").arg(skew, preciseDurationText(error));
}

} // namespace

QString latenessText(const OperationSummary::Meeting& meeting, const RankClocks& clocks)
{
    if (!clocks.isCertain(meeting))
        return MeetingTableModel::tr("%1 #%2: within %3 of each other, and the clocks of their "
                                     "hosts are compared to ± %4: who came last isn't sure")
            .arg(operationName(meeting.kind), QString::number(meeting.number),
                 preciseDurationText(meeting.skewNs()),
                 preciseDurationText(clocks.errorNs(meeting)));
    return MeetingTableModel::tr("%1 #%2: %3 came %4 after %5")
        .arg(operationName(meeting.kind), QString::number(meeting.number),
             rankText(meeting.last().rank), skewText(meeting, clocks),
             rankText(meeting.first().rank));
}

void MeetingTableModel::show(std::vector<OperationSummary::Meeting> meetings, RankClocks clocks)
{
    m_clocks = std::move(clocks);
    std::ranges::reverse(meetings);
    setRows(std::move(meetings));
}

int MeetingTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MeetingTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const OperationSummary::Meeting& meeting = rowAt(index);
    if (role == LastRankRole)
        return meeting.last().rank;
    if (role == Qt::ToolTipRole)
        return latenessText(meeting, m_clocks);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Number: return QStringLiteral("#%1").arg(meeting.number);
    case Kind: return operationName(meeting.kind);
    case Size: return sizeText(static_cast<double>(meeting.bytes));
    case Last: return m_clocks.isCertain(meeting) ? rankText(meeting.last().rank) : tr("not sure");
    case Skew: return skewText(meeting, m_clocks);
    case Arrivals: return arrivalsText(meeting);
    default: return {};
    }
}

QVariant MeetingTableModel::headerData(int section, Qt::Orientation orientation, int role) const
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
