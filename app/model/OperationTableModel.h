#pragma once

#include "app/model/OperationFeed.h"

#include <QAbstractTableModel>

namespace ringmaster::app {

/// One row a kind, group, data type, size bucket and way. Rows keep their place while their values
/// change.
class OperationTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Kind,
        Size,
        Count,
        AlgorithmBandwidth,
        BusBandwidth,
        Share,
        Inside,
        Transfer,
        Waiting,
        Type,
        Backend,
        Group,
        ColumnCount
    };
    enum DataRole {
        SortRole = Qt::UserRole,
        KindRole,     ///< ledger::OperationKind as int
        LookRole,     ///< int, for seriesLook()
        ShareRole,    ///< double: of the wall time
        TransferRole, ///< double: of the time inside; negative: not known
    };
    static constexpr size_t MostRows = 500; ///< The heaviest.

    explicit OperationTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void show(const OperationSummary& summary);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    void replace(const std::vector<diagnose::BandwidthRow>& rows);
    static QString textOf(const diagnose::BandwidthRow& row, int column);
    static QVariant sortKeyOf(const diagnose::BandwidthRow& row, int column);
    static QString toolTipOf(const diagnose::BandwidthRow& row, int column);

    std::vector<diagnose::BandwidthRow> m_rows;
};

} // namespace ringmaster::app
