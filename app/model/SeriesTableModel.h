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
    enum Column { From, Kind, Count, Bytes, BusBandwidth, FeltBandwidth };
    enum DataRole { KindRole = FirstOwnRole };

    explicit SeriesTableModel(const RunModel& run, QObject* parent = nullptr);

    void show(const OperationSummary& summary);

protected:
    QVariant rowData(const SeriesRow& row, const QModelIndex& index, int role) const override;
};

/// The same table for other programs: seconds since `beginNs`, bytes, bytes a second.
QByteArray seriesCsv(const OperationSummary& summary, std::int64_t beginNs);

} // namespace ringmaster::app
