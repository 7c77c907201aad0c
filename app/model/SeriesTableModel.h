#pragma once

#include "app/model/OperationFeed.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// One span of time of one kind.
struct SeriesRow
{
    ledger::OperationKind kind{};
    OperationSummary::Point point{};

    bool operator==(const SeriesRow&) const = default;
};

/// The bandwidth over time as a table, the twin of its chart.
class SeriesTableModel : public RowsModel<SeriesRow>
{
    Q_OBJECT

public:
    enum Column { From, Kind, Count, Bytes, BusBandwidth, ColumnCount };
    enum DataRole { KindRole = Qt::UserRole };

    explicit SeriesTableModel(const RunModel& run, QObject* parent = nullptr);

    void show(const OperationSummary& summary);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    const RunModel& m_run;
};

} // namespace ringmaster::app
