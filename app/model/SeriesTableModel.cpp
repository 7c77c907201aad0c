#include "app/model/SeriesTableModel.h"

#include "app/bridge/Words.h"
#include "app/model/OperationText.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

std::vector<SeriesRow> rowsOf(const OperationSummary& summary)
{
    std::vector<SeriesRow> rows;
    for (const OperationSummary::Series& series : summary.series) {
        for (const OperationSummary::Point& point : series.points)
            rows.push_back({series.kind, point});
    }
    std::ranges::stable_sort(rows, {}, [](const SeriesRow& row) { return row.point.fromNs; });
    return rows;
}

} // namespace

SeriesTableModel::SeriesTableModel(const RunModel& run, QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("From"),
         .text =
             [&run](const SeriesRow& row) {
                 return clockText(row.point.fromNs - run.history().begin().monotonicNs);
             }},
        {.title = QT_TR_NOOP("Operation"),
         .text = [](const SeriesRow& row) { return operationName(row.kind); }},
        {.title = QT_TR_NOOP("Count"),
         .text = [](const SeriesRow& row) { return countText(row.point.count); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Bytes"),
         .text = [](const SeriesRow& row) { return sizeText(row.point.bytes); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("busbw, wire"),
         .text = [](const SeriesRow& row) { return bandwidthText(row.point.busBandwidth()); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("busbw, felt"),
         .text = [](const SeriesRow& row) { return bandwidthText(row.point.feltBusBandwidth()); },
         .toolTip =
             [](const SeriesRow&) {
                 return tr("By the program's own time: from the call until it, or the wait for it, "
                           "is over.");
             },
         .alignment = NumberAlignment},
    });
}

void SeriesTableModel::show(const OperationSummary& summary)
{
    setRows(rowsOf(summary));
}

QByteArray seriesCsv(const OperationSummary& summary, std::int64_t beginNs)
{
    QByteArray csv = "from_s,operation,count,bytes,busbw_bytes_per_s\n";
    for (const SeriesRow& row : rowsOf(summary)) {
        const double seconds = static_cast<double>(row.point.fromNs - beginNs) / 1e9;
        csv += QByteArrayList{QByteArray::number(seconds, 'f', 3), operationName(row.kind).toUtf8(),
                              QByteArray::number(static_cast<qulonglong>(row.point.count)),
                              QByteArray::number(row.point.bytes, 'f', 0),
                              QByteArray::number(row.point.busBandwidth(), 'f', 0)}
                   .join(',') +
               '\n';
    }
    return csv;
}

QVariant SeriesTableModel::rowData(const SeriesRow& row, const QModelIndex& /*index*/,
                                   int role) const
{
    return role == KindRole ? QVariant(static_cast<int>(row.kind)) : QVariant();
}

} // namespace ringmaster::app
