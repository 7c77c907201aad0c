#include "app/model/OperationTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"
#include "app/model/SeriesLooks.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>

namespace ringmaster::app {

using diagnose::BandwidthRow;

namespace {

auto keyOf(const BandwidthRow& row)
{
    return std::tuple_cat(
        std::tie(row.kind, row.type, row.group, row.bucket, row.backend, row.algorithm),
        std::make_tuple(row.isTimed()));
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
    return std::max<std::int64_t>(0, row.feltNs - row.transferNs);
}

std::int64_t perCallNs(const BandwidthRow& row)
{
    return row.count > 0 ? row.feltNs / static_cast<std::int64_t>(row.count) : 0;
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

bool hasData(const BandwidthRow& row)
{
    return ledger::busFactor(row.kind, 2) > 0 && row.transferNs > 0;
}

QString rateText(const BandwidthRow& row, double bytesPerSecond)
{
    return hasData(row) && row.tellsBandwidth() ? bandwidthText(bytesPerSecond) : none();
}

/// Only of operations that synchronise.
QString wireTimeText(const BandwidthRow& row, std::int64_t ns)
{
    return row.isWire ? preciseDurationText(ns) : none();
}

} // namespace

OperationTableModel::OperationTableModel(QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Operation"),
         .text = [](const BandwidthRow& row) { return operationName(row.kind); }},
        {.title = QT_TR_NOOP("Size"),
         .text =
             [](const BandwidthRow& row) {
                 return hasData(row) ? sizeText(meanBytes(row)) : none();
             },
         .sortKey = meanBytes,
         .toolTip =
             [](const BandwidthRow& row) {
                 return tr("From %1 to below %2; the mean is shown.")
                     .arg(sizeText(static_cast<double>(row.bucket)),
                          sizeText(2 * static_cast<double>(row.bucket)));
             },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Count"),
         .text = [](const BandwidthRow& row) { return countText(row.count); },
         .sortKey = &BandwidthRow::count,
         .alignment = NumberAlignment},
        {.title = "algbw",
         .text = [](const BandwidthRow& row) { return rateText(row, row.algorithmBandwidth()); },
         .sortKey = &BandwidthRow::algorithmBandwidth,
         .toolTip =
             [](const BandwidthRow& row) {
                 return row.tellsBandwidth() ? tr("Bytes over time. %1").arg(timeSourceText(row))
                                             : tr("A send returns before its data has arrived: it "
                                                  "tells of no bandwidth.");
             },
         .alignment = NumberAlignment},
        {.title = "busbw",
         .text = [](const BandwidthRow& row) { return rateText(row, row.busBandwidth()); },
         .sortKey = &BandwidthRow::busBandwidth,
         .toolTip = [](const BandwidthRow& row) { return busFormulaText(row.kind, ranksOf(row)); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Share"),
         .text =
             [](const BandwidthRow& row) {
                 return row.isTimed() ? percentText(row.share) : none();
             },
         .sortKey = &BandwidthRow::share,
         .toolTip =
             [](const BandwidthRow&) {
                 return tr("Time in which such an operation was in flight, of the time between the "
                           "first call and the last end.");
             },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Felt"),
         .text =
             [](const BandwidthRow& row) {
                 return row.isTimed() ? preciseDurationText(row.feltNs) : none();
             },
         .sortKey = &BandwidthRow::feltNs,
         .toolTip =
             [](const BandwidthRow& row) {
                 return tr("The program's own time in these operations: from the call until it, or "
                           "the wait for it, is over. Mean over the ranks; %1 a call.")
                     .arg(preciseDurationText(perCallNs(row)));
             },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Wire"),
         .text = [](const BandwidthRow& row) { return wireTimeText(row, row.transferNs); },
         .sortKey = &BandwidthRow::transferNs,
         .toolTip =
             [](const BandwidthRow& row) {
                 return row.isWire ? tr("%1 Half of them took at most %2, 99 of 100 at most %3.")
                                         .arg(timeSourceText(row),
                                              preciseDurationText(row.transfers.quantile(0.5)),
                                              preciseDurationText(row.transfers.quantile(0.99)))
                                   : timeSourceText(row);
             },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Waiting"),
         .text = [](const BandwidthRow& row) { return wireTimeText(row, waitingNs(row)); },
         .sortKey = waitingNs,
         .toolTip = timeSourceText,
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Type"),
         .text =
             [](const BandwidthRow& row) {
                 const std::string_view type = ledger::nameOf(row.type);
                 return QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size()));
             }},
        {.title = QT_TR_NOOP("Backend"),
         .text = wayText,
         .toolTip =
             [](const BandwidthRow& row) {
                 return row.backend == ledger::Backend::Unknown
                            ? tr("The record doesn't say which backend carried them out.")
                            : tr("What carried them out, and the algorithm where it is known.");
             }},
        {.title = QT_TR_NOOP("Group"),
         .text = [](const BandwidthRow& row) { return groupText(row.group); },
         .toolTip =
             [](const BandwidthRow& row) {
                 return tr("%1: %2").arg(groupText(row.group), ranksText(row.group.members));
             }},
    });
}

void OperationTableModel::show(const OperationSummary& summary)
{
    std::vector<BandwidthRow> wanted = summary.rows;
    if (wanted.size() > MostRows)
        wanted.resize(MostRows);
    // Those that are there keep their order, so that none moves.
    std::ranges::stable_sort(wanted, {}, [this](const BandwidthRow& row) {
        return std::ranges::find(rows(), keyOf(row), keyOf) - rows().begin();
    });
    setRows(wanted, keyOf);
}

QVariant OperationTableModel::rowData(const BandwidthRow& row, const QModelIndex& /*index*/,
                                      int role) const
{
    switch (role) {
    case KindRole: return static_cast<int>(row.kind);
    case ColorRole: return backendColor(ledger::nameOf(row.backend));
    case LineRole: return collectiveLine(ledger::nameOf(row.kind));
    case ShareRole: return row.share;
    case TransferRole:
        return row.isWire && row.feltNs > 0
                   ? static_cast<double>(row.transferNs) / static_cast<double>(row.feltNs)
                   : -1.0;
    default: return {};
    }
}

} // namespace ringmaster::app
