#pragma once

#include "app/model/RowsModel.h"
#include "engine/event/SweepEvents.h"

namespace ringmaster::app {

struct SweepTableRow
{
    int series = 0; ///< Its line in the chart.
    QString run{};
    SweepRow measured{};

    bool operator==(const SweepTableRow&) const = default;
};

/// What sweeps measured, by the columns of nccl-tests with p50 and p99: one row a size and backend.
class SweepTableModel : public RowsModel<SweepTableRow>
{
    Q_OBJECT

public:
    enum Column {
        Size,
        Count,
        Type,
        Reduction,
        Collective,
        Backend,
        Time,
        AlgorithmBandwidth,
        BusBandwidth,
        P50,
        P99,
        Wrong,
        Run,
        Note,
        ColumnCount
    };
    enum DataRole { SortRole = Qt::UserRole, SeriesRole };

    explicit SweepTableModel(QObject* parent = nullptr) : RowsModel(parent) {}

    using Row = SweepTableRow;
    void show(std::vector<Row> rows) { setRows(std::move(rows)); }

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    static QString textOf(const Row& row, int column);
    static QVariant sortKeyOf(const Row& row, int column);
};

} // namespace ringmaster::app
