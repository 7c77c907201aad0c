#include "app/bandwidth/SweepTableModel.h"

#include "app/bridge/Messages.h"
#include "app/widget/Tokens.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace ringmaster::app {

namespace {

QString integer(std::int64_t value)
{
    return QLocale().toString(static_cast<qlonglong>(value));
}

/// As nccl-tests: what fits, at most two decimals.
QString decimal(double value)
{
    const int decimals = value < 100 ? 2 : value < 10'000 ? 1 : 0;
    return QLocale().toString(value, 'f', decimals);
}

QString gigabytes(double bytesASecond)
{
    // Small messages are far below what two decimals can say: two digits that count.
    const double value = bytesASecond / 1e9;
    const int zeros = value > 0 ? static_cast<int>(std::floor(-std::log10(value))) : 0;
    return QLocale().toString(value, 'f', std::clamp(zeros + 2, 2, 8));
}

QString noneText()
{
    return QStringLiteral("–");
}

/// What was read from nccl-tests has a time, and no percentiles.
QString microseconds(std::int64_t ns)
{
    return ns > 0 ? decimal(static_cast<double>(ns) / 1e3) : noneText();
}

/// A column of numbers: what `write` makes of `value`, where it was measured.
template <class Value, class Write>
TableColumn<SweepTableRow> numberColumn(const char* title, Value SweepRow::*value, Write write)
{
    return {.title = title,
            .text =
                [=](const SweepTableRow& row) {
                    return row.measured.isMeasured() ? write(row.measured.*value) : noneText();
                },
            .sortKey =
                [=](const SweepTableRow& row) { return static_cast<double>(row.measured.*value); },
            .alignment = NumberAlignment};
}

} // namespace

SweepTableModel::SweepTableModel(QObject* parent) : RowsModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("size (B)"),
         .text =
             [](const Row& row) {
                 return integer(row.measured.isMeasured() ? row.measured.bytes
                                                          : row.measured.wantedBytes);
             },
         .sortKey = [](const Row& row) { return row.measured.wantedBytes; },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("count"),
         .text = [](const Row& row) { return integer(row.measured.count); },
         .sortKey = [](const Row& row) { return row.measured.count; },
         .alignment = NumberAlignment},
        {.title = QT_TR_NOOP("type"),
         .text = [](const Row& row) { return QString::fromStdString(row.measured.type); }},
        {.title = "redop",
         .text =
             [](const Row& row) {
                 return row.measured.reduction.empty()
                            ? noneText()
                            : QString::fromStdString(row.measured.reduction);
             }},
        {.title = QT_TR_NOOP("collective"),
         .text = [](const Row& row) { return QString::fromStdString(row.measured.collective); }},
        {.title = QT_TR_NOOP("backend"),
         .text =
             [](const Row& row) {
                 const std::string& algorithm = row.measured.algorithm;
                 return QString::fromStdString(algorithm.empty()
                                                   ? row.measured.backend
                                                   : row.measured.backend + " (" + algorithm + ")");
             }},
        numberColumn(QT_TR_NOOP("time (µs)"), &SweepRow::timeNs, microseconds),
        numberColumn("algbw (GB/s)", &SweepRow::algorithmBandwidth, gigabytes),
        numberColumn("busbw (GB/s)", &SweepRow::busBandwidth, gigabytes),
        numberColumn("p50 (µs)", &SweepRow::p50Ns, microseconds),
        numberColumn("p99 (µs)", &SweepRow::p99Ns, microseconds),
        numberColumn(QT_TR_NOOP("wrong"), &SweepRow::wrong,
                     [](std::int64_t wrong) { return wrong < 0 ? noneText() : integer(wrong); }),
        {.title = QT_TR_NOOP("sweep"), .text = &Row::run},
        {.title = QT_TR_NOOP("note"),
         .text =
             [](const Row& row) {
                 return row.measured.isMeasured() ? QString() : text(row.measured.problem);
             }},
    });
}

QVariant SweepTableModel::rowData(const Row& row, const QModelIndex& index, int role) const
{
    switch (role) {
    case Qt::ToolTipRole:
        return row.measured.isMeasured() ? QVariant() : text(row.measured.problem);
    case Qt::ForegroundRole:
        return index.column() == Wrong && row.measured.wrong > 0
                   ? QVariant(themeTokens().failed.text)
                   : QVariant();
    case SeriesRole: return row.series;
    default: return {};
    }
}

} // namespace ringmaster::app
