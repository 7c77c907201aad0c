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

ArrivalTableModel::ArrivalTableModel(QObject* parent) : RowsModel(parent)
{
    using Collective = OperationSummary::Collective;
    setColumns({
        {.title = QT_TR_NOOP("Number"),
         .text = [](const Collective& row) { return QStringLiteral("#%1").arg(row.number); }},
        {.title = QT_TR_NOOP("Operation"),
         .text = [](const Collective& row) { return operationName(row.kind); }},
        {.title = QT_TR_NOOP("Size"),
         .text = [](const Collective& row) { return sizeText(static_cast<double>(row.bytes)); }},
        {.title = QT_TR_NOOP("Last to come"),
         .text =
             [this](const Collective& row) {
                 return m_clocks.isCertain(row) ? rankText(row.last().rank) : tr("not sure");
             }},
        {.title = QT_TR_NOOP("Skew"),
         .text = [this](const Collective& row) { return skewText(row, m_clocks); }},
        {.title = QT_TR_NOOP("Each rank, after the first"), .text = arrivalsText},
    });
}

void ArrivalTableModel::show(std::vector<OperationSummary::Collective> collectives,
                             RankClocks clocks)
{
    m_clocks = std::move(clocks);
    std::ranges::reverse(collectives);
    setRows(std::move(collectives));
}

QVariant ArrivalTableModel::rowData(const OperationSummary::Collective& collective,
                                    const QModelIndex& /*index*/, int role) const
{
    switch (role) {
    case LastRankRole: return collective.last().rank;
    case Qt::ToolTipRole: return latenessText(collective, m_clocks);
    default: return {};
    }
}

} // namespace ringmaster::app
