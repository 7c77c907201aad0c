#pragma once

#include "app/model/OperationFeed.h"
#include "app/model/RowsModel.h"

namespace ringmaster::app {

/// One row a kind, group, data type, size bucket and way. Rows keep their place while their values
/// change.
class OperationTableModel : public RowsModel<diagnose::BandwidthRow>
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
        Felt,
        Wire,
        Waiting,
        Type,
        Backend,
        Group
    };
    enum DataRole {
        KindRole = FirstOwnRole, ///< ledger::OperationKind as int
        ColorRole,               ///< int: backendColor()
        LineRole,                ///< int: collectiveLine()
        ShareRole,               ///< double: of the wall time
        TransferRole,            ///< double: of what is felt; negative: not known
    };
    static constexpr size_t MostRows = 500; ///< The heaviest.

    explicit OperationTableModel(QObject* parent = nullptr);

    void show(const OperationSummary& summary);

protected:
    QVariant rowData(const diagnose::BandwidthRow& row, const QModelIndex& index,
                     int role) const override;
};

} // namespace ringmaster::app
