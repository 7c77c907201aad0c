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
        Note
    };
    enum DataRole { SeriesRole = FirstOwnRole };

    explicit SweepTableModel(QObject* parent = nullptr);

    using Row = SweepTableRow;
    void show(std::vector<Row> rows) { setRows(std::move(rows)); }

protected:
    QVariant rowData(const Row& row, const QModelIndex& index, int role) const override;
};

} // namespace ringmaster::app
