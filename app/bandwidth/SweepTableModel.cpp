#include "app/bandwidth/SweepTableModel.h"

#include "app/bridge/Messages.h"
#include "app/widget/Tokens.h"

#include <QLocale>

namespace ringmaster::app {

namespace {

bool isNumber(int column)
{
    return column == SweepTableModel::Size || column == SweepTableModel::Count ||
           (column >= SweepTableModel::Time && column <= SweepTableModel::Wrong);
}

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

QString microseconds(std::int64_t ns)
{
    return decimal(static_cast<double>(ns) / 1e3);
}

QString gigabytes(double bytesASecond)
{
    // Small messages are far below what two decimals can say.
    return bytesASecond > 0 && bytesASecond < 5e6 ? QLocale().toString(bytesASecond / 1e9, 'g', 2)
                                                  : QLocale().toString(bytesASecond / 1e9, 'f', 2);
}

} // namespace

int SweepTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SweepTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rowAt(index);
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case Qt::ToolTipRole:
        return row.measured.isMeasured() ? textOf(row, index.column()) : text(row.measured.problem);
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Wrong && row.measured.wrong > 0
                   ? QVariant(themeTokens().failed.text)
                   : QVariant();
    case SortRole: return sortKeyOf(row, index.column());
    case SeriesRole: return row.series;
    default: return {};
    }
}

QString SweepTableModel::textOf(const Row& row, int column)
{
    const SweepRow& measured = row.measured;
    const QString none = QStringLiteral("–");
    if (!measured.isMeasured() && column >= Time && column <= Wrong)
        return none;
    switch (column) {
    case Size: return integer(measured.isMeasured() ? measured.bytes : measured.wantedBytes);
    case Count: return integer(measured.count);
    case Type: return QString::fromStdString(measured.type);
    case Reduction:
        return measured.reduction.empty() ? none : QString::fromStdString(measured.reduction);
    case Collective: return QString::fromStdString(measured.collective);
    case Backend:
        return QString::fromStdString(measured.algorithm.empty()
                                          ? measured.backend
                                          : measured.backend + " (" + measured.algorithm + ")");
    case Time: return microseconds(measured.timeNs);
    case AlgorithmBandwidth: return gigabytes(measured.algorithmBandwidth);
    case BusBandwidth: return gigabytes(measured.busBandwidth);
    case P50: return microseconds(measured.p50Ns);
    case P99: return microseconds(measured.p99Ns);
    case Wrong: return measured.wrong < 0 ? none : integer(measured.wrong);
    case Run: return row.run;
    case Note: return measured.isMeasured() ? QString() : text(measured.problem);
    default: return {};
    }
}

QVariant SweepTableModel::sortKeyOf(const Row& row, int column)
{
    const SweepRow& measured = row.measured;
    switch (column) {
    case Size: return QVariant::fromValue(static_cast<qlonglong>(measured.wantedBytes));
    case Count: return QVariant::fromValue(static_cast<qlonglong>(measured.count));
    case Time: return QVariant::fromValue(static_cast<qlonglong>(measured.timeNs));
    case AlgorithmBandwidth: return measured.algorithmBandwidth;
    case BusBandwidth: return measured.busBandwidth;
    case P50: return QVariant::fromValue(static_cast<qlonglong>(measured.p50Ns));
    case P99: return QVariant::fromValue(static_cast<qlonglong>(measured.p99Ns));
    case Wrong: return QVariant::fromValue(static_cast<qlonglong>(measured.wrong));
    default: return textOf(row, column);
    }
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isNumber(section))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return QAbstractTableModel::headerData(section, orientation, role);
    switch (section) {
    case Size: return tr("size (B)");
    case Count: return tr("count");
    case Type: return tr("type");
    case Reduction: return QStringLiteral("redop");
    case Collective: return tr("collective");
    case Backend: return tr("backend");
    case Time: return tr("time (µs)");
    case AlgorithmBandwidth: return QStringLiteral("algbw (GB/s)");
    case BusBandwidth: return QStringLiteral("busbw (GB/s)");
    case P50: return QStringLiteral("p50 (µs)");
    case P99: return QStringLiteral("p99 (µs)");
    case Wrong: return tr("wrong");
    case Run: return tr("sweep");
    case Note: return tr("note");
    default: return {};
    }
}

} // namespace ringmaster::app
