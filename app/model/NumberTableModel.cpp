#include "app/model/NumberTableModel.h"

#include "app/bridge/CsvText.h"
#include "app/bridge/Words.h"
#include "app/model/NumberText.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

std::vector<NumberRow> rowsOf(const NumberSummary& summary, TimeSpan::Range range)
{
    std::vector<NumberRow> rows;
    for (const NumberSummary::Line& line : summary.lines) {
        for (const NumberSeries::Point& point : line.points) {
            if (point.ns >= range.from && point.ns <= range.to)
                rows.push_back({point.ns, QString::fromStdString(line.name), line.attempt,
                                line.rank, point.value});
        }
    }
    std::ranges::stable_sort(rows, {}, &NumberRow::atNs);
    return rows;
}

} // namespace

NumberTableModel::NumberTableModel(const TimeSpan& span, QObject* parent)
    : RowsModel(parent), m_span(span)
{
    setColumns({
        {.title = QT_TR_NOOP("At"),
         .text = [this](const NumberRow& row) { return clockText(row.atNs - m_span.begin()); }},
        {.title = QT_TR_NOOP("Number"), .text = &NumberRow::name},
        {.title = QT_TR_NOOP("Attempt"),
         .text = [](const NumberRow& row) { return QString::number(row.attempt + 1); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Rank"),
         .text = [](const NumberRow& row) { return QString::number(row.rank); },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("Value"),
         .text = [](const NumberRow& row) { return numberText(row.value); },
         .alignment = NumberAlignment},
    });
}

void NumberTableModel::show(const NumberSummary& summary)
{
    auto rows = rowsOf(summary, m_span.shown());
    std::ranges::reverse(rows);
    if (rows.size() > MostRows)
        rows.resize(MostRows);
    setRows(std::move(rows));
}

QVariant NumberTableModel::rowData(const NumberRow& row, const QModelIndex& /*index*/,
                                   int role) const
{
    return role == RankRole ? QVariant(row.rank) : QVariant();
}

QByteArray numbersCsv(const NumberSummary& summary, TimeSpan::Range range, std::int64_t beginNs)
{
    QByteArray csv = "at_s,name,attempt,rank,value\n";
    for (const NumberRow& row : rowsOf(summary, range)) {
        csv += QByteArrayList{QByteArray::number(static_cast<double>(row.atNs - beginNs) / 1e9, 'f',
                                                 3),
                              csvText(row.name), QByteArray::number(row.attempt),
                              QByteArray::number(row.rank), QByteArray::number(row.value, 'g', 17)}
                   .join(',') +
               '\n';
    }
    return csv;
}

} // namespace ringmaster::app
