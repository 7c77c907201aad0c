#pragma once

#include "app/model/OperationFeed.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// The bandwidth over time as a table, the twin of its chart: one row a span of time and kind.
class SeriesTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { From, Kind, Count, Bytes, BusBandwidth, ColumnCount };
    enum DataRole { KindRole = Qt::UserRole };

    explicit SeriesTableModel(const RunModel& run, QObject* parent = nullptr);

    void show(const OperationSummary& summary);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        ledger::OperationKind kind{};
        OperationSummary::Point point{};
    };

    const RunModel& m_run;
    std::vector<Row> m_rows;
};

} // namespace ringmaster::app
