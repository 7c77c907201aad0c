#pragma once

#include "engine/event/SweepEvents.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// What sweeps measured, by the columns of nccl-tests with p50 and p99: one row a size and backend.
class SweepTableModel : public QAbstractTableModel
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

    struct Row
    {
        int series = 0; ///< Its line in the chart.
        QString run{};
        SweepRow measured{};

        bool operator==(const Row&) const = default;
    };

    explicit SweepTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void show(std::vector<Row> rows);
    const std::vector<Row>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    static QString textOf(const Row& row, int column);
    static QVariant sortKeyOf(const Row& row, int column);

    std::vector<Row> m_rows;
};

} // namespace ringmaster::app
